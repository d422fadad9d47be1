"""Plots: valid SVG that shows what was measured, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from chouine import duel
from chouine.arena.pairs import Duel
from chouine.arena.pool import RoundRobin
from chouine.cli import main
from chouine.jobs import in_this_process
from chouine.plots import MOST_TICKS, Bar, Plot, Point, bars, curves, learning_curve, ticks

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314  # our own


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-0.06, 0.01), (1, 16), (-219.0, 225.0), (0, 5e6), (3, 3)])
def test_ticks_are_few_round_and_between(low: float, high: float) -> None:
    values = ticks(low, high)
    assert len(values) <= MOST_TICKS + 1
    assert all(low - 1e-6 <= value <= high + 1e-6 for value in values)
    assert values


def test_a_curve_has_its_names_escaped_and_stays_inside() -> None:
    plot = curves("a < b", "x & y", {"<me>": [Point(1, 0.2, 0.1, 0.3), Point(3, 0.6, 0.5, 0.7)]})
    assert {"<me>", "x & y"} <= set(texts(plot.svg))
    (edge,) = re.findall(r'polygon points="([^"]+)"', plot.svg)
    places = [tuple(map(float, pair.split(","))) for pair in edge.split()]
    assert all(0 <= x <= 720 and 0 <= y <= 320 for x, y in places)
    assert plot._repr_svg_() == plot.svg


def test_one_point_and_equal_bars_are_drawn_and_nothing_is_refused() -> None:
    assert "NaN" not in curves("t", "x", {"a": [Point(1, 0, 0, 0)]}).svg
    assert "NaN" not in bars("t", {"a": Bar(0, 0, 0)}).svg
    with pytest.raises(ValueError, match="there is no point"):
        curves("t", "x", {})
    with pytest.raises(ValueError, match="there is no bar"):
        bars("t", {})


def test_the_style_of_a_plot_holds_for_plots_alone() -> None:
    """In a notebook plots and tables stand in one page."""
    for plot in (curves("t", "x", {"a": [Point(1, 0, 0, 0)]}), bars("t", {"a": Bar(0, 0, 0)})):
        (style,) = re.findall("<style>(.*)</style>", plot.svg)
        rules = re.findall(r"[^{}]+(?=\{[^{]*\})", style.replace("@media(prefers-color-scheme:dark){", ""))
        assert rules
        assert all(each.startswith(".chouine-plot ") for each in rules)


def test_a_bar_ends_at_its_value() -> None:
    svg = bars("t", {"low": Bar(0.25, 0.2, 0.3), "high": Bar(1, 1, 1)}, even=0.5).svg
    low, high = (
        (float(x), float(width))
        for x, width in re.findall(r'class="bar" x="([\d.]+)" .*? width="([\d.]+)"', svg)
    )
    assert low[0] + low[1] == pytest.approx(high[0], abs=0.1)
    assert high[1] / low[1] == pytest.approx(2, abs=0.01)


def test_a_score_and_a_pool_plot_themselves() -> None:
    assert "100%" in texts(duel("heuristic", "random", pairs=2).plot().svg)[-1:]
    pool = RoundRobin.of({"one": "random", "other": "random"}, Duel("", "", "classic", "1", (None, None)), 3)
    list(pool.play(in_this_process))
    plot = pool.plot("fr")
    assert isinstance(plot, Plot)
    assert {"one", "other"} <= set(texts(plot.svg))
    assert "intervalle" in plot.svg


@pytest.mark.parametrize("command", ["duel", "pool"])
def test_commands_draw_their_result(command: str, tmp_path: Path) -> None:
    """A duel whose log is complete is drawn without playing; the curve ends at the rate that is printed."""
    path = tmp_path / "out.svg"
    call = [command, "heuristic", "random", "--pairs", "6", "--workers", "1", "--language", "en"]
    assert main([*call, "--plot", str(path)]) == 0
    assert "heuristic" in texts(path.read_text(encoding="utf-8"))
    assert main([*call, "--plot", str(tmp_path / "none" / "out.svg")]) == 2


def test_a_learning_curve_has_a_line_for_each_opponent(tmp_path: Path) -> None:
    path = tmp_path / "curve.jsonl"
    points = [{"minutes": nth, "rate": nth / 10, "greedy": nth / 5} for nth in range(1, 4)]
    path.write_text("\n".join(map(json.dumps, points)))
    assert {"heuristic", "greedy", "min"} <= set(texts(learning_curve(path).svg))
    path.write_text('{"rate": 1}\n')
    with pytest.raises(ValueError, match="not the curve of a training"):
        learning_curve(path)


def test_points_may_be_of_any_iterable_and_names_of_any_signs() -> None:
    """A generator is read once; a control character made the SVG one that nothing reads."""
    points = [Point(x, 0.5, 0.4, 0.6) for x in range(4)]
    plot = curves("a\x00\x07", "<x>", {"one\x1b": (each for each in points)})
    assert plot == curves(r"a\x00\x07", "<x>", {r"one\x1b": points})
    ET.fromstring(plot.svg)  # noqa: S314
    ET.fromstring(bars("a\x00", {"b\x0b": Bar(0.5, 0.4, 0.6)}).svg)  # noqa: S314
    with pytest.raises(TypeError, match="a curve is Points"):
        curves("t", "x", {"one": 3})  # type: ignore[dict-item]


@pytest.mark.parametrize("text", ["", "no curve", "[1]", '{"minutes": "x"}', "\0", "3", "[" * 100_000])
def test_another_file_is_no_curve_of_a_training(text: str, tmp_path: Path) -> None:
    path = tmp_path / "curve.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"is not the curve of a training|no point to draw"):
        learning_curve(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
def test_a_device_without_an_end_is_no_curve_of_a_training() -> None:
    with pytest.raises(OSError, match="/dev/zero"):
        learning_curve("/dev/zero")


@pytest.mark.parametrize("wrong", [None, 3, b"a.svg"])
def test_what_is_no_file_s_name_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="path is a file's name, not"):
        bars("t", {"a": Bar(0.5, 0.4, 0.6)}).save(wrong)


def test_a_number_too_large_for_a_plot_is_refused() -> None:
    """Python's own error came from inside."""
    with pytest.raises(ValueError, match="a plot's numbers are finite, not <int object"):
        bars("Huge", {"a": Bar(10**5_000, 0, 1)})
