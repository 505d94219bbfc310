"""Kinds of calls, over the tool names of the common agents."""

import pytest

from services.observe.kinds import KINDS, kind_of

CLAUDE_CODE = {
    "file_edit": ["Edit", "Write", "MultiEdit", "NotebookEdit", "str_replace_based_edit_tool"],
    "command_run": ["Bash", "BashOutput", "KillShell", "KillBash", "PowerShell", "REPL"],
    "web_fetch": ["WebFetch", "WebSearch"],
    "file_read": ["Read", "Glob", "Grep", "LS", "NotebookRead", "ReadMcpResourceTool"],
    "tool_use": [
        *("Task", "Agent", "TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "Skill"),
        *("TaskCreate", "TaskOutput", "SendMessage", "ListMcpResourcesTool", "LSP", "ToolSearch"),
    ],
}
CODEX = {
    "file_edit": ["apply_patch"],
    "command_run": [
        "shell",
        "local_shell",
        "shell_command",
        "exec_command",
        "write_stdin",
        "container.exec",
        "js_repl",
    ],
    "web_fetch": ["web_search"],
    "file_read": ["view_image", "read_file", "list_dir", "grep_files", "read_mcp_resource"],
    "tool_use": ["update_plan", "spawn_agent", "send_input", "wait", "close_agent", "list_mcp_resources"],
}
CURSOR = {
    "file_edit": [
        "edit_file",
        "search_replace",
        "delete_file",
        "edit_notebook",
        "reapply_edit",
        "Delete",
        "StrReplace",
    ],
    "command_run": ["run_terminal_cmd", "Shell"],
    "web_fetch": ["web_search"],
    "file_read": [
        *("codebase_search", "read_file", "grep_search", "list_dir", "file_search", "glob_file_search", "read_lints"),
        "fetch_rules",
    ],
    "tool_use": ["todo_write", "create_diagram", "switch_mode", "create_plan"],
}
GEMINI = {
    "file_edit": ["write_file", "replace", "edit"],
    "command_run": ["run_shell_command"],
    "web_fetch": ["web_fetch", "google_web_search"],
    "file_read": ["read_file", "read_many_files", "glob", "search_file_content", "grep_search", "list_directory"],
    "tool_use": ["save_memory", "write_todos", "activate_skill", "ask_user", "enter_plan_mode", "delegate_to_agent"],
}
OPENCODE = {
    "file_edit": ["edit", "write", "multiedit", "patch", "apply_patch"],
    "command_run": ["bash", "shell"],
    "web_fetch": ["webfetch", "websearch"],
    "file_read": ["read", "grep", "glob", "list", "codesearch"],
    "tool_use": ["todowrite", "todoread", "task", "lsp_hover", "lsp_diagnostics", "skill", "question", "plan_exit"],
}
OTHERS = {
    "file_edit": ["create_file", "replace_in_file", "write_to_file", "insert_edit_into_file", "str_replace_editor"],
    "command_run": ["execute_command", "run_in_terminal", "runTests", "run_command", "testrun", "rerun", "python_exec"],
    "web_fetch": ["browser_action", "fetch_webpage", "http_request", "curl", "open_url", "read_url_content"],
    "file_read": ["list_files", "open_file", "cat", "ls", "view", "find", "list_code_definition_names"],
    "tool_use": ["attempt_completion", "use_mcp_tool", "new_task", "get_weather", "calculator"],
}
MCP = {
    "file_edit": ["mcp__filesystem__write_file", "mcp__shell-server__edit_file", "mcp__serena__replace_in_symbol"],
    "command_run": ["mcp__ci__run_job", "mcp__terminal__send_keys"],
    "web_fetch": ["mcp__fetch__fetch", "mcp__browser__click", "mcp__web__get"],
    "file_read": [
        "mcp__filesystem__read_text_file",
        "mcp__shell__read_file",
        "mcp__docs__search",
        "mcp__fs__list_directory",
    ],
    "tool_use": ["mcp__github__create_issue", "mcp__github__create_pull_request_review", "mcp__linear__list_issues"],
}
CASES = [
    (name, kind)
    for names in (CLAUDE_CODE, CODEX, CURSOR, GEMINI, OPENCODE, OTHERS, MCP)
    for kind, tools in names.items()
    for name in tools
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_tools_of_the_common_agents_are_of_the_kind_that_their_users_expect(name, kind):
    assert kind_of(name, False) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("edit_and_run", "file_edit"),
        ("bash_fetch", "command_run"),
        ("web_search", "web_fetch"),
        ("view_url", "web_fetch"),
        ("write_shell_script", "file_edit"),
    ],
)
def test_the_first_kind_in_order_wins_when_a_name_holds_words_of_several(name, kind):
    assert kind_of(name, False) == kind


@pytest.mark.parametrize("name", ["BASH", "bAsH", "myBashTool", "MY-BASH-TOOL", "superbash2", "run-bash.now"])
def test_words_are_found_in_any_case_and_anywhere_in_the_name(name):
    assert kind_of(name, False) == "command_run"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "credit_check",
            "reddit_post",
            "dispatch_job",
            "prune_images",
            "truncate_table",
            "trunk_status",
            "thread_reply",
        ),
        *(
            "createSpreadsheet",
            "review_pr",
            "preview_deploy",
            "deep_research",
            "set_global",
            "openai_chat",
            "OpenAPICall",
        ),
        *(
            "list_tools",
            "mark_false",
            "catalog_items",
            "notify",
            "create_webhook",
            "hourly_report",
            "executive_summary",
        ),
        *("runtime_info", "reopen_issue", "tool_calls", "concat", "readiness"),
    ],
)
def test_ordinary_words_that_hold_a_table_word_by_accident_do_not_count(name):
    assert kind_of(name, False) == "tool_use"


@pytest.mark.parametrize("name", ["Read", "Bash", "TodoWrite", "anything", ""])
def test_a_failed_call_is_an_error_whatever_its_tool(name):
    assert kind_of(name, True) == "error"


@pytest.mark.parametrize("name", ["", "_", "__", "mcp__", "mcp____", "123", "日本語", "\u0130", "x" * 256])
def test_odd_names_have_a_kind_too(name):
    assert kind_of(name, False) in KINDS
