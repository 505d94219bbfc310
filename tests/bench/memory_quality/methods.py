"""The methods of ../shared/data/README.md, each a function from corpus and query to a score per item."""

import re
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import snowballstemmer

from runtime.embedding.minilm import CEILING, FLOOR
from services.memory.retrieval import fusion
from services.memory.retrieval.documents import date_terms, document
from services.memory.retrieval.expansion import expansions
from services.memory.retrieval.stopwords import STOP_WORDS
from services.memory.retrieval.tokens import query_terms
from tests.bench.memory_quality.corpus import Corpus, Floats, bm25

Method = Callable[[Corpus, str], Floats]
_WORD = re.compile(r"\w+")
_stemmer = snowballstemmer.stemmer("english")


def words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in {"the", "a", "of", "and", "to", "in", "is"}]


def stems(text: str) -> list[str]:
    return [_stemmer.stemWord(word) for word in words(text)]


def content_stems(text: str) -> list[str]:
    return [_stemmer.stemWord(word) for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS]


def _plain(corpus: Corpus) -> list[str]:
    return [f"{item.title} {item.content}" for item in corpus.items]


def _dated(corpus: Corpus) -> list[str]:
    return [f"{text} {' '.join(date_terms(i.said_at))}" for text, i in zip(_plain(corpus), corpus.items, strict=True)]


def _neighbours(corpus: Corpus, scores: Floats, share: float) -> Floats:
    padded = np.append(scores, 0.0)
    return scores + share * padded[corpus.neighbours()[:, :2]].sum(axis=1)


def with_neighbours(corpus: Corpus, query: str) -> Floats:
    return _neighbours(corpus, corpus.bm25(_dated(corpus), content_stems, query)[0], 0.4)


def with_prior(corpus: Corpus, query: str) -> Floats:
    documents = [Counter(content_stems(text)) for text in _dated(corpus)]
    prior = corpus.session_scores(documents, list(dict.fromkeys(content_stems(query))))
    scores = with_neighbours(corpus, query)
    return scores / max(scores.max(), 1e-9) + 0.4 * prior


def with_cosine(corpus: Corpus, query: str) -> Floats:
    cosines = corpus.cosines(query)
    return with_prior(corpus, query) + 0.3 * (cosines - cosines.mean()) / cosines.std()


def reciprocal_ranks(corpus: Corpus, query: str) -> Floats:
    lexical, cosines = corpus.bm25(_dated(corpus), content_stems, query)[0], corpus.cosines(query)
    ranks = [np.argsort(np.argsort(-scores, kind="stable"), kind="stable") for scores in (lexical, cosines)]
    return (lexical > 0) / (60.0 + ranks[0]) + 1 / (60.0 + ranks[1])


def own_lexical(corpus: Corpus, query: str) -> tuple[Floats, list[Counter[str]], list[str]]:
    """Relevance of the product's lexical leg, the documents, and the query's terms."""
    documents = [Counter(document(i.title, i.content, i.kind, None, i.said_at).counts) for i in corpus.items]
    wanted = query_terms(query)
    scores, ceiling = bm25(documents, wanted)
    stored = {term for counts in documents for term in counts}
    for term in wanted:
        for word, share in expansions(term, stored).items() if term not in stored else ():
            scores = scores + share * bm25(documents, [word])[0]
    return fusion.lexical_relevance(scores, ceiling), documents, wanted


def ours_alone(corpus: Corpus, query: str) -> Floats:
    """Both legs fused, without what a session lends."""
    semantic = fusion.semantic_relevance(corpus.cosines(query), FLOOR, CEILING)
    return fusion.fuse(own_lexical(corpus, query)[0], semantic)


def ours(corpus: Corpus, query: str) -> Floats:
    lexical, documents, wanted = own_lexical(corpus, query)
    fused = fusion.fuse(lexical, fusion.semantic_relevance(corpus.cosines(query), FLOOR, CEILING))
    several = len(set(corpus.sessions)) >= fusion.LEAST_SESSIONS
    sessions = corpus.session_scores(documents, wanted) if several else None
    return fusion.contrast(fusion.lend(fused, corpus.neighbours(), sessions))


METHODS: Mapping[str, Method] = {
    "BM25": lambda corpus, query: corpus.bm25(_plain(corpus), words, query)[0],
    "+ stems": lambda corpus, query: corpus.bm25(_plain(corpus), stems, query)[0],
    "+ stop words": lambda corpus, query: corpus.bm25(_plain(corpus), content_stems, query)[0],
    "+ the date": lambda corpus, query: corpus.bm25(_dated(corpus), content_stems, query)[0],
    "+ 0.4 neighbours": with_neighbours,
    "+ 0.4 session prior": with_prior,
    "+ 0.3 standardised cosine": with_cosine,
    "MiniLM alone": lambda corpus, query: corpus.cosines(query),
    "rank fusion of BM25 and MiniLM": reciprocal_ranks,
    "ours, lexical leg": lambda corpus, query: own_lexical(corpus, query)[0],
    "ours, both legs": ours_alone,
    "ours": ours,
}
