"""Small rooms: what a reader has to hold in mind at once stays bounded."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("runtime", "gateway", "services", "standalone", "sdk/python/loom", "tools", "tests")
MOST_LINES, MOST_FUNCTION_LINES = 400, 60


def sources() -> list[Path]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return [path for path in found if "_pb2" not in path.name and "_generated" not in path.parts]


def test_no_file_is_longer_than_a_room() -> None:
    long = {str(p.relative_to(ROOT)): n for p in sources() if (n := len(p.read_text().splitlines())) > MOST_LINES}
    assert long == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = [stmt for stmt in node.body if not _is_docstring(stmt)]
                lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
                if lines > MOST_FUNCTION_LINES:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = lines
    assert long == {}


def _is_docstring(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant) and isinstance(stmt.value.value, str)
