"""Long texts in chunks: a memory is as near to a question as its nearest chunk."""

import regex

# About 150 word pieces of prose, which one vector stands for without blurring.
CHUNK_CHARS = 600
MOST_CHUNKS = 24
_BREAKS = (regex.compile(r"\n\s*\n"), regex.compile(r"\n|(?<=[.!?。!?;])\s*"), regex.compile(r"\s+"))


def chunks(title: str, content: str) -> list[str]:
    """One to MOST_CHUNKS texts; each begins with the title, so that a chunk knows what it is about.

    A title that the content begins with says nothing more and is left out. Of a text with more chunks the first ones
    count; the lexical leg sees all of it.
    """
    lead = "" if content.startswith(title.removesuffix("...")) else f"{title}\n"
    found: list[str] = []
    rest = content.strip()
    while rest and len(found) < MOST_CHUNKS:
        end = _end(rest)
        found.append(lead + rest[:end].strip())
        rest = rest[end:].strip()
    return found or [title]


def _end(text: str) -> int:
    """Where the first chunk of `text` ends: at the last paragraph, sentence or word that fits and leaves half filled."""
    if len(text) <= CHUNK_CHARS:
        return len(text)
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, CHUNK_CHARS // 2, CHUNK_CHARS)]
        if ends:
            return ends[-1]
    return CHUNK_CHARS
