"""Whether a tool call failed, and in what words, from the shapes that agents give results in."""

import re
from typing import Any

from loom.capture import jsontext
from loom.capture.fit import cut_text

FAILED = "the tool call failed"
INTERRUPTED = "the tool call was interrupted"
ERROR_CHARS = 8_000

# How Codex opens the text of a command's output. Only these lines count: what a command prints may say anything.
EXIT_LINE = re.compile(
    r"(?:(?:Chunk ID|Wall time|Original token count)[^\n]*\n)*(?:Process exited with code|Exit code:?) (-?\d+)"
)
DEPTH = 8
EXIT_KEYS = ("exit_code", "exitCode", "returncode", "return_code")
FLAG_KEYS = ("is_error", "isError")
TEXT_KEYS = ("message", "error", "text", "content", "stderr", "output", "aggregated_output", "stdout")


def error_of(output: Any) -> str | None:
    """The error text of a result; None when nothing says that the call failed."""
    if isinstance(output, dict):
        return _of_object(output)
    if isinstance(output, str):
        return _of_text(output)
    return None


def failure(*said: Any) -> str:
    """The text of a call that is known to have failed: the first of `said` that has any, else a plain sentence."""
    return next((text for text in map(text_of, said) if text), FAILED)


def text_of(value: Any, depth: int = DEPTH) -> str:
    """The readable text in a value: a string, a list of content blocks, or an object that holds one; else empty."""
    if isinstance(value, str):
        return cut_text(value.strip(), ERROR_CHARS)
    if isinstance(value, list) and depth:
        return cut_text("\n".join(filter(None, (text_of(part, depth - 1) for part in value))), ERROR_CHARS)
    if isinstance(value, dict) and depth:
        return next(filter(None, (text_of(value.get(key), depth - 1) for key in TEXT_KEYS)), "")
    return ""


def _of_object(output: dict[str, Any]) -> str | None:
    if any(output.get(key) is True for key in FLAG_KEYS) or output.get("success") is False:
        return failure(output)
    if text_of(output.get("error")):
        return text_of(output["error"])
    if output.get("interrupted") is True:
        return INTERRUPTED
    return _of_exit(output) or _of_exit(output.get("metadata"), output)


def _of_exit(holder: Any, output: Any = None) -> str | None:
    if isinstance(holder, dict):
        for key in EXIT_KEYS:
            code = holder.get(key)
            if isinstance(code, int) and not isinstance(code, bool) and code != 0:
                return _exited(code, text_of(output or holder))
    return None


def _of_text(output: str) -> str | None:
    found = EXIT_LINE.match(output)
    if found:
        return _exited(int(found[1]), text_of(output)) if int(found[1]) else None
    if output[:1] == "{" and any(f'"{key}"' in output for key in (*EXIT_KEYS, *FLAG_KEYS)):
        try:
            return error_of(jsontext.loads(output))
        except ValueError:
            return None
    return None


def _exited(code: int, text: str) -> str:
    return f"exit code {code}\n{text}".rstrip()
