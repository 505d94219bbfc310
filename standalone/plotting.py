"""A reliability plot: what a check said, over what came."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from services.tracker.similar.evaluation import Bin

# Drawn four times as large and then shrunk, which smooths every line.
_LARGER = 4
SIZE, _LEFT, _TOP, _PLOT, _BARS = (560, 660), 76, 86, 440, 56
_INK, _GRID, _LINE, _BAND = "#1b1f24", "#d8dde3", "#2563a8", "#c9dcf0"


class _Canvas:
    """A picture in units of its final size."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", tuple(_LARGER * side for side in SIZE), "white")
        self._draw = ImageDraw.Draw(self.image)

    def line(self, points: Sequence[tuple[float, float]], fill: str, width: float = 1.0) -> None:
        self._draw.line([(_LARGER * x, _LARGER * y) for x, y in points], fill=fill, width=round(_LARGER * width))

    def box(self, left: float, top: float, right: float, bottom: float, fill: str) -> None:
        self._draw.rectangle([_LARGER * each for each in (left, top, right, bottom)], fill=fill)

    def dot(self, x: float, y: float, radius: float) -> None:
        box = [_LARGER * each for each in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(box, fill=_LINE, outline="white", width=_LARGER)

    def text(self, x: float, y: float, text: str, size: float = 12, anchor: str = "mm") -> None:
        font = ImageFont.load_default(_LARGER * size)
        self._draw.text((_LARGER * x, _LARGER * y), text, fill=_INK, font=font, anchor=anchor)


def reliability(bins: Sequence[Bin], threshold: float | None, title: str, note: str, path: Path) -> None:
    """Writes the plot as a PNG. Raises OSError.

    A dot is a tenth of the probabilities: on the diagonal it held what it said. The bars below tell how many drafts it
    stands for, on a scale of roots, since most drafts duplicate nothing.
    """
    canvas = _Canvas()
    canvas.text(SIZE[0] / 2, 22, title, 16)
    canvas.text(SIZE[0] / 2, 44, note, 11)
    _axes(canvas)
    if threshold is not None:
        canvas.line([_at(threshold, 0), _at(threshold, 1)], "#b4552d", 1.5)
        canvas.text(_at(threshold, 0)[0] - 4, _at(0, 0.95)[1], "duplicate from here on", 10, "rm")
    points = [_at(each.probability, each.share) for each in bins]
    if len(points) > 1:
        canvas.line(points, _LINE, 2)
    for x, y in points:
        canvas.dot(x, y, 5)
    _weights(canvas, bins)
    canvas.image.resize(SIZE, Image.Resampling.LANCZOS).save(path, "PNG")


def _at(probability: float, share: float) -> tuple[float, float]:
    return _LEFT + _PLOT * probability, _TOP + _PLOT * (1 - share)


def _axes(canvas: _Canvas) -> None:
    for tenth in range(0, 11, 2):
        value = tenth / 10
        canvas.line([_at(value, 0), _at(value, 1)], _GRID)
        canvas.line([_at(0, value), _at(1, value)], _GRID)
        canvas.text(_at(value, 0)[0], _TOP + _PLOT + _BARS + 20, f"{value:.1f}", 11)
        canvas.text(_LEFT - 8, _at(0, value)[1], f"{value:.1f}", 11, "rm")
    canvas.line([_at(0, 0), _at(1, 1)], "#8a939d", 1)
    canvas.text(_LEFT + _PLOT / 2, _TOP + _PLOT + _BARS + 44, "probability that the check gave", 12)
    canvas.text(_LEFT, _TOP - 10, "share that was a duplicate", 12, "lm")


def _weights(canvas: _Canvas, bins: Sequence[Bin]) -> None:
    most = max((each.weight for each in bins), default=1.0)
    bottom = _TOP + _PLOT + _BARS
    for each in bins:
        tenth = min(9, int(each.probability * 10))
        left = _LEFT + _PLOT * tenth / 10
        height = (_BARS - 14) * (each.weight / most) ** 0.5
        canvas.box(left + 3, bottom - height, left + _PLOT / 10 - 3, bottom, _BAND)
        canvas.text(left + _PLOT / 20, bottom - height - 7, f"{each.weight:,.0f}", 9)
