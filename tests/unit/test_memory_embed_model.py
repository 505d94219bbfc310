"""The default embedder and its chunks."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.embedding import minilm
from runtime.embedding.calibration import calibrate
from runtime.embedding.chunks import CHUNK_CHARS, MOST_CHUNKS, chunks
from runtime.embedding.interface import EmbedderUnavailable

TOKENIZER = Path(minilm.__file__).parent / "model" / "tokenizer.json"


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.installed()


def test_vectors_have_length_one_and_the_models_dimension(model: minilm.MiniLM) -> None:
    vectors = model.embed(["one", "a somewhat longer text", ""])
    assert vectors.shape == (3, minilm.DIM) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_wordings_of_one_fact_are_nearer_than_strangers(model: minilm.MiniLM) -> None:
    one, other, stranger = model.embed(["I like tea.", "Tea is what I enjoy.", "The server ran out of disk."])
    assert one @ other > 0.6 > 0.3 > one @ stranger


def test_order_of_the_texts_is_kept_over_batches(model: minilm.MiniLM) -> None:
    texts = [f"text number {n} " + "word " * (n % 7) for n in range(minilm.BATCH * 2 + 3)]
    together, alone = model.embed(texts), np.concatenate([model.embed([text]) for text in texts])
    # Eight-bit arithmetic depends a little on what else is in the batch.
    assert (together * alone).sum(axis=1).min() > 0.98


def test_no_texts_give_no_vectors(model: minilm.MiniLM) -> None:
    assert model.embed([]).shape == (0, minilm.DIM)


def test_an_endless_text_is_cut(model: minilm.MiniLM) -> None:
    assert np.isfinite(model.embed(["word " * 20_000])).all()


def test_the_models_floor_and_ceiling_are_near_what_is_measured(model: minilm.MiniLM) -> None:
    floor, ceiling, dim = calibrate(model.embed)
    assert dim == minilm.DIM
    assert floor == pytest.approx(model.floor, abs=0.1) and ceiling == pytest.approx(model.ceiling, abs=0.1)


def test_the_files_are_checked_before_use(tmp_path: Path) -> None:
    other = tmp_path / "tokenizer.json"
    other.write_bytes(TOKENIZER.read_bytes() + b" ")
    with pytest.raises(EmbedderUnavailable, match="SHA-256"):
        minilm.MiniLM(tmp_path / "model.onnx", other)
    with pytest.raises(EmbedderUnavailable, match="model file cannot be read"):
        minilm.MiniLM(tmp_path / "model.onnx", TOKENIZER)


def test_the_tokenizer_beside_the_code_is_the_recorded_one() -> None:
    assert hashlib.sha256(TOKENIZER.read_bytes()).hexdigest() == minilm.TOKENIZER_SHA256


def test_a_short_memory_is_one_chunk_with_its_title() -> None:
    assert chunks("Tea", "No milk.") == ["Tea\nNo milk."]


def test_a_title_that_repeats_the_content_is_left_out() -> None:
    assert chunks("No milk...", "No milk, ever.") == ["No milk, ever."]


def test_a_long_memory_is_cut_between_sentences() -> None:
    found = chunks("Title", "A sentence that has some words. " * 60)
    assert len(found) > 2 and all(piece.endswith("words.") and piece.startswith("Title\n") for piece in found)


@given(st.text(max_size=3_000))
def test_chunks_lose_nothing_but_blanks(text: str) -> None:
    joined = "".join(piece.removeprefix("·title·\n") for piece in chunks("·title·", text))
    assert "".join(joined.split()) == "".join(text.split()) or not text.strip()


def test_chunks_are_bounded() -> None:
    found = chunks("t", "x" * 50_000)
    assert len(found) == MOST_CHUNKS and max(map(len, found)) <= CHUNK_CHARS + 2
