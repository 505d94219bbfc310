"""Vectors of texts, computed once and kept outside the repository, since many thousand of them take minutes."""

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runtime.embedding.minilm import DIM, NAME, installed

PIECES = 64
_STEP = 1_024

Vectors = NDArray[np.float32]


def cache() -> Path:
    """LOOM_BENCH_CACHE, or a folder of the user's cache."""
    folder = Path(os.environ.get("LOOM_BENCH_CACHE", "~/.cache/loom-bench")).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def key(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def vectors(texts: Sequence[str]) -> Vectors:
    """One row for each text; what is not in the cache is computed and kept."""
    path = cache() / f"{NAME}-{PIECES}.npz"
    known: dict[str, Vectors] = {}
    if path.exists():
        stored = np.load(path)
        known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
    keys = [key(text) for text in texts]
    missing = {name: text for name, text in zip(keys, texts, strict=True) if name not in known}
    if missing:
        known |= _computed(missing)
        np.savez(path, keys=np.array(list(known)), vectors=np.array(list(known.values()), dtype=np.float32))
    return np.array([known[name] for name in keys], dtype=np.float32).reshape(len(keys), DIM)


def _computed(missing: dict[str, str]) -> dict[str, Vectors]:
    print(f"embedding {len(missing)} texts, 30 to 100 a second", file=sys.stderr, flush=True)
    embedder, found = installed(pieces=PIECES), {}
    names = list(missing)
    for start in range(0, len(names), _STEP):
        chosen = names[start : start + _STEP]
        found |= dict(zip(chosen, embedder.embed([missing[name] for name in chosen]), strict=True))
    return found
