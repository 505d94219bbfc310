"""Work that takes minutes of a processor, in a process of its own at low priority.

A thread would hold the interpreter's lock against everybody who asks meanwhile (docs/adr/0021-passes-of-similarity.md).
`process` is the side that asks, `child` the one that works, `jobs` what it can do, `frames` what goes between them.
"""
