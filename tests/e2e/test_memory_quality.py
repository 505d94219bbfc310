"""Searches find what was asked for: the labelled set of our own, and the product over HTTP beside plain methods on it."""

from collections import Counter

import pytest

from runtime.embedding.minilm import installed
from tests.bench.memory_quality import over_http
from tests.bench.memory_quality.__main__ import evaluate
from tests.bench.memory_quality.corpus import Corpus
from tests.bench.memory_quality.dataset import USERS, load, questions
from tests.bench.memory_quality.methods import METHODS
from tests.bench.memory_quality.metrics import Metrics, metrics
from tests.support.server import Server

LIMIT_S = 180.0
# The plain methods that do best, by meaning, by words and by both; the bench prints all of them.
PLAIN = ("BM25", "+ 0.4 session prior", "+ 0.3 standardised cosine", "MiniLM alone", "rank fusion of BM25 and MiniLM")
KINDS = {"paraphrase": 60, "temporal": 30, "multi": 20, "language": 20, "identifier": 15, "none": 10}


def test_the_labelled_set_has_questions_of_every_kind_and_gold_that_is_stored() -> None:
    items = {user: load(user) for user in USERS}
    assert len({(user, item.session) for user in USERS for item in items[user]}) >= 12
    assert sum(map(len, items.values())) >= 300
    asked = questions()
    kinds = Counter(question.kind for question in asked)
    assert len(set(asked)) == len(asked) >= 120
    assert kinds.keys() == KINDS.keys()
    assert all(kinds[kind] >= least for kind, least in KINDS.items())
    for question in asked:
        assert question.gold <= {item.label for item in items[question.user]}
        assert bool(question.gold) == (question.kind != "none")
    assert min(len(q.gold) for q in asked if q.kind == "multi") > 1


@pytest.fixture(scope="module")
def plain() -> dict[str, Metrics]:
    """The plain methods on the half of the questions that no setting was chosen on."""
    embedder = installed()
    corpora = {user: Corpus(load(user), embedder) for user in USERS}
    return {name: evaluate(corpora, METHODS[name], reported()) for name in PLAIN}


def reported():
    return [question for question in questions() if question.gold][1::2]


def test_the_product_over_http_finds_more_than_every_plain_method(server: Server, plain: dict[str, Metrics]) -> None:
    found = over_http.rankings(reported(), server.base_url, "", LIMIT_S)
    ours = metrics([(found[question], question.gold) for question in reported()])
    print("any@5 any@10 all@10 MRR", *(f"\n{name}: {values}" for name, values in {**plain, "ours": ours}.items()))
    for name, values in plain.items():
        assert ours.mrr > values.mrr, name
        assert (ours.any5, ours.any10, ours.all10) >= (values.any5, values.any10, values.all10), name
    # Far above the floor of the gates, so that a loss shows here first.
    assert (ours.any5 >= 90, ours.any10 >= 93, ours.all10 >= 88, ours.mrr >= 79) == (True,) * 4
