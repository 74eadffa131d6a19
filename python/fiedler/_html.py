"""How answers look in a notebook: plain HTML with styles of its own, in the colors of the page, light or dark."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

#: The one color.
ACCENT = "#3b6ea5"

_STYLE = f"""<style>
.fiedler {{font-size:0.92em;line-height:1.45;max-width:56em}}
.fiedler .soft {{opacity:0.65}}
.fiedler .side {{display:flex;flex-wrap:wrap;gap:0 2.5em;align-items:flex-start}}
.fiedler table {{border-collapse:collapse;font-size:inherit;margin:0.5em 0;border:0;width:auto}}
.fiedler th,.fiedler td {{text-align:left!important;padding:0.12em 0.9em 0.12em 0;border:0;background:none}}
.fiedler th {{font-weight:400;opacity:0.65}}
.fiedler td.number {{font-variant-numeric:tabular-nums}}
.fiedler .bar {{height:0.7em;border-radius:0.2em;background:{ACCENT}}}
.fiedler .warn {{border-left:3px solid #c98a00;padding-left:0.6em;margin:0.25em 0}}
.fiedler svg {{margin-top:0.4em;max-width:100%}}
</style>"""

#: Size of a curve, and the room around it.
_WIDTH, _HEIGHT, _EDGE = 270, 150, 8


def card(head: str, parts: Sequence[str], warnings: Sequence[str] = ()) -> str:
    """An answer: a headline, parts side by side, and what to know before trusting it. All are HTML but warnings."""
    inside = "".join(parts)
    told = "".join(f"<div class='warn'>{html.escape(text)}</div>" for text in warnings)
    return f"{_STYLE}<div class='fiedler'><div>{head}</div><div class='side'>{inside}</div>{told}</div>"


def rows(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already."""
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td class='number'>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def bar(share: float, width: int = 120) -> str:
    """A bar of that share of the width."""
    pixels = 0 if np.isnan(share) else round(width * min(max(share, 0.0), 1.0))
    return f"<div class='bar' style='width:{pixels}px'></div>"


def curve(values: np.ndarray, mark: int | None, caption: str) -> str:
    """The values as a curve, with a mark after the first `mark` of them."""
    shown = values[~np.isnan(values)]
    if len(shown) < 3 or shown.max() == shown.min():
        return ""
    # A curve of very many values is drawn through as many of them as it is wide.
    at = np.unique(np.linspace(0, len(shown) - 1, min(len(shown), _WIDTH)).astype(int))
    x = _EDGE + (_WIDTH - 2 * _EDGE) * at / (len(shown) - 1)
    y = _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * (shown[at] - shown.min()) / (shown.max() - shown.min())
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    dots = "".join(f"<circle cx='{a:.1f}' cy='{b:.1f}' r='2.5' fill='{ACCENT}'/>" for a, b in zip(x, y, strict=True))
    turn = ""
    if mark is not None and 0 < mark < len(shown):
        place = _EDGE + (_WIDTH - 2 * _EDGE) * (mark - 0.5) / (len(shown) - 1)
        line_of = f"x1='{place:.1f}' x2='{place:.1f}' y1='0' y2='{_HEIGHT}'"
        turn = f"<line {line_of} stroke='currentColor' stroke-opacity='0.45' stroke-dasharray='4 3'/>"
    return (
        f"<figure style='margin:0.4em 0;max-width:{_WIDTH}px'><svg width='{_WIDTH}' height='{_HEIGHT}' role='img' "
        f"aria-label='{html.escape(caption, quote=True)}'>{turn}"
        f"<polyline points='{line}' fill='none' stroke='{ACCENT}' stroke-width='1.5'/>"
        f"{dots if len(shown) <= 60 else ''}</svg><figcaption class='soft'>{html.escape(caption)}</figcaption></figure>"
    )


def listed(names: Sequence[str]) -> str:
    """Names in bold, as a sentence lists them."""
    bold = [f"<b>{html.escape(name)}</b>" for name in names]
    return bold[0] if len(bold) == 1 else f"{', '.join(bold[:-1])} and {bold[-1]}"
