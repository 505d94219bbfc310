"""Which templates a question gets: those whose anchors it has, by how many of their words it uses."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from services.tracker.answers.held import Anchors
from services.tracker.answers.model import Template

MOST = 3
NEAREST = 3
_SHORT = 2
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Picked:
    template: Template
    why: str


def pick(question: str, anchors: Anchors, templates: Sequence[Template]) -> list[Picked]:
    """Up to three, best first; none where nothing fits, rather than a guess.

    A template needs all of its anchors. Among those the words decide; where a question has anchors and no words that
    speak for anything, the templates that use the most of its anchors and need no words are taken.
    """
    words, held = _WORD.findall(question.lower()), anchors.kinds()
    fitting = [(template, _spoken(template, words)) for template in templates if held.issuperset(template.anchors)]
    spoken = [(template, said) for template, said in fitting if said and (template.anchors or len(said) > 1)]
    if spoken:
        best = max(_score(template, said) for template, said in spoken)
        chosen = [(t, said) for t, said in spoken if _score(t, said) >= best - 1]
        chosen = [(t, said) for t, said in chosen if not any(_within(t, said, *other) for other in chosen)]
        chosen.sort(key=lambda each: -_score(*each))
        return [Picked(t, f"it has {_listed(t.anchors)} and says {_listed(said)}") for t, said in chosen[:MOST]]
    plain = [
        template for template, _ in fitting if template.anchors and DEFAULT_OF.get(template.anchors) == template.name
    ]
    plain = [each for each in plain if not any(_within(each, (), other, ()) for other in plain)]
    return [Picked(template, f"it has {_listed(template.anchors)}") for template in plain[:MOST]]


# What anchors alone ask for.
DEFAULT_OF = {
    ("number",): "item_status",
    ("test",): "flaky_verdict",
    ("version",): "release_blockers",
    ("sha",): "first_release",
    ("path",): "open_prs_of_path",
    ("component",): "component_open_issues",
    ("number", "version"): "fix_in_version",
}


def nearest(question: str, templates: Sequence[Template], anchors: Anchors) -> list[Template]:
    """Templates that share the most words or anchors with the question, for a suggestion. Of a word that speaks for
    several of them each gets a part."""
    words, held = _WORD.findall(question.lower()), anchors.kinds()
    said = {template.name: _spoken(template, words) for template in templates}
    shared = Counter(word for spoken in said.values() for word in spoken)

    def likeness(template: Template) -> tuple[float, int]:
        return sum(1 / shared[word] for word in said[template.name]), len(held.intersection(template.anchors))

    return sorted(templates, key=likeness, reverse=True)[:NEAREST]


def _spoken(template: Template, words: Collection[str]) -> list[str]:
    """The words of the question that start with one of the template's stems."""
    return [word for word in dict.fromkeys(words) if any(_is_form(word, stem) for stem in template.intent)]


def _is_form(word: str, stem: str) -> bool:
    """Very short words begin many others: of them only the word itself and its plural count."""
    return word.startswith(stem) if len(stem) > _SHORT else word in (stem, f"{stem}s")


def _within(template: Template, said: Collection[str], other: Template, more: Collection[str]) -> bool:
    """What a template of several anchors says of them is not said again for each alone."""
    return set(template.anchors) < set(other.anchors) and set(said) <= set(more)


def _score(template: Template, said: Sequence[str]) -> int:
    return 2 * len(said) + len(template.anchors)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no anchor"
