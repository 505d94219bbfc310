"""Private text: what stands between `<private>` and `</private>` is replaced by `[REDACTED]` before anything sees it.

The rules, where a reader would have to guess:

- The tag is `private` in any case, with blanks around the name and the slash, and attributes on the opener. The name
  ends there: `<privateer>` and `<private-key>` are no tags. A closer takes blanks and nothing else.
- Tags nest. An opener without a closer redacts to the end of the text; an opener may even lack its `>`. A closer
  without an opener is dropped. `<private/>` opens as well, as it would in HTML.
- A tag inside a quoted attribute of an opener is part of that opener.
- Text that another encoder has passed over keeps its tags: `\\u003c`, `\\x3c`, `&lt;`, `&#60;` and `&#x3c;` stand for `<`
  (and their kin for `>`), `\\/` for `/`, `\\n` for a blank, since the tag comes back once the text is decoded.
- In a JSON value an open region carries over into the following keys and values, in the order of the document.
- Dropping a closer may join the text around it into a new tag (`<pri</private>vate>`), so passes repeat until the text
  rests. What still moves after `PASSES` of them was built to evade, and is redacted as a whole.

Every pass takes time linear in the text, whatever it holds. Text without the word costs one search.
"""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None

MARK = "[REDACTED]"
PASSES = 4

# Each piece is possessive (`*+`, `++`): nothing is tried twice, which is what keeps hostile text linear.
_LT = r"(?:<|\\u003[cC]|\\x3[cC]|&lt;|&\#0{0,5}60;|&\#[xX]0{0,5}3[cC];)"
_GT = r"(?:>|\\u003[eE]|\\x3[eE]|&gt;|&\#0{0,5}62;|&\#[xX]0{0,5}3[eE];)"
_BLANKS = r"(?:\s|\\++[nrt])*+"
_NAME = r"[Pp][Rr][Ii][Vv][Aa][Tt][Ee]"
_TAG = re.compile(
    rf"""
    {_LT} {_BLANKS} (?:
        (?P<open> {_NAME} (?=[\s/<>\\&]|\Z)
            (?: [^<>=\\&]++ | (?!{_LT}|{_GT}) [\\&] | = \s*+ (?: "[^"]*+" | '[^']*+' )?+ )*+ )
      | (?P<close> (?:\\*+/) {_BLANKS} {_NAME} {_BLANKS} (?: \\++ (?: > | u003[eE] | x3[eE] ) | {_GT} ) )
    )
    """,
    re.VERBOSE,
)


def contains_private(text: str) -> bool:
    """Whether the text holds a tag, an opener or a closer."""
    return "private" in text.lower() and _TAG.search(text) is not None


def strip_text(text: str) -> str:
    """The text with every private region replaced by `[REDACTED]`; text without tags comes back as it is.

    Stripping again changes nothing.
    """
    for _ in range(PASSES):
        if not contains_private(text):
            return text
        text, _depth = _redact(text, 0)
    return MARK if contains_private(text) else text


def strip_value(value: JSON) -> JSON:
    """The JSON value with every private region of its strings and keys replaced, as one document.

    A scalar inside an open region becomes `[REDACTED]`, and keys that become equal are told apart by a number, so that
    nothing else is lost. A value without tags comes back as the same object; others are copied, never changed.
    """
    for _ in range(PASSES):
        if not _any_tag(value):
            return value
        value = _redact_tree(value)
    return MARK if _any_tag(value) else value


def _redact(text: str, depth: int) -> tuple[str, int]:
    """One pass over one string that starts `depth` regions deep; also the depth at its end."""
    pieces = [MARK] if depth else []
    public = 0
    for tag in _TAG.finditer(text):
        if tag.lastgroup == "open":
            if depth == 0:
                pieces += (text[public : tag.start()], MARK)
            depth += 1
        elif depth:
            depth -= 1
            public = tag.end()
        else:
            pieces.append(text[public : tag.start()])
            public = tag.end()
    if depth == 0:
        pieces.append(text[public:])
    return "".join(pieces), depth


def _any_tag(value: JSON) -> bool:
    """Whether a key or string of the value holds a tag. A stack, not recursion: depth is the caller's to choose."""
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if contains_private(item):
                return True
        elif isinstance(item, dict):
            todo.extend(item)
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return False


def _redact_tree(value: JSON) -> JSON:
    """One pass over a value, depth first in document order."""
    root: list[Any] = []
    depth = 0
    stack: list[tuple[Iterator[Any], Any]] = [(iter([value]), root)]
    while stack:
        items, target = stack[-1]
        try:
            item = next(items)
        except StopIteration:
            stack.pop()
            continue
        key = None
        if isinstance(target, _Keyed):
            key, item = item
            key, depth = _redact(key, depth)
        if isinstance(item, str):
            item, depth = _redact(item, depth)
        elif isinstance(item, dict):
            child = _Keyed()
            stack.append((iter(item.items()), child))
            item = child.made
        elif isinstance(item, list):
            source, item = item, []
            stack.append((iter(source), item))
        elif depth:
            item = MARK
        if key is None:
            target.append(item)
        else:
            target.put(key, item)
    return root[0]


class _Keyed:
    """A dict under construction whose equal keys are numbered: `k`, `k 2`, `k 3`."""

    __slots__ = ("_next", "made")

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}
        self._next: dict[str, int] = {}

    def put(self, key: str, value: Any) -> None:
        name = key
        if name in self.made:
            number = self._next.get(key, 2)
            while (name := f"{key} {number}") in self.made:
                number += 1
            self._next[key] = number + 1
        self.made[name] = value
