"""What the plane needs of an embedder, and how one says that it cannot run."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class EmbedderUnavailable(RuntimeError):
    """The embedder cannot answer; the message says why, in words that a caller may see."""


class Refused(RuntimeError):
    """The embedder will never take one of these texts."""


class Embedder(Protocol):
    """Texts to vectors of length one. Calls block: they belong on a thread."""

    name: str
    """Stands beside every vector; vectors of two names are never compared."""

    dim: int
    """Numbers in a vector; 0 until the first answer where an endpoint decides it."""

    floor: float
    """Cosine that unrelated texts have."""

    ceiling: float
    """Cosine that two wordings of one fact have."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 of shape (texts, dim), rows of length one. Raises EmbedderUnavailable."""
        ...

    def close(self) -> None:
        """Lets go of connections and memory."""
        ...


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
