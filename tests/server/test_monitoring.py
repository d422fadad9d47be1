"""The dashboard and the alerts name metrics and labels of the program; each alert has its line in the page."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import yaml
from prometheus_client import REGISTRY

from chouine.server import metrics
from chouine.server.limits import ADDRESS, VISITOR

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "monitoring"
PAGE = (ROOT / "docs" / "deploy.md").read_text()
METRIC = re.compile(r"\b(?:chouine|process)_\w+")
LABEL = re.compile(r"(\b(?:chouine|process)_\w+)\{([^}]*)\}")


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "grafana.json").read_text())["panels"]
    return found


def expressions() -> list[str]:
    """All expressions of the files."""
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [*shown, *(rule["expr"] for rule in alerts())]


def metric_names() -> set[str]:
    """The names of everything that `/metrics` gives; samples without a label are there from the start."""
    endings = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
    return {
        f"{metric.name}{ending}" for metric in REGISTRY.collect() for ending in endings.get(metric.type, ())
    }


def test_every_metric_named_is_exported() -> None:
    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    assert len(named) > 15
    assert not named - metric_names()


def test_every_metric_of_ours_is_shown() -> None:
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    ours = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("chouine_")}
    assert ours
    assert not [name for name in sorted(ours) if name not in shown]


def test_every_label_and_its_value_exist() -> None:
    """In braces, in `by (…)`, and in legends."""
    own = {
        value._name: value._labelnames
        for value in vars(metrics).values()
        if hasattr(value, "_labelnames") and value._labelnames
    }
    names = {label for labels in own.values() for label in labels} | {"le", "instance", "job"}
    given = " ".join([*expressions(), (FOLDER / "grafana.json").read_text()])
    by = {name for group in re.findall(r"by \(([^)]*)\)", given) for name in re.split(r",\s*", group)}
    legends = set(re.findall(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}", given))
    assert by | legends <= names
    asked = {
        (name, *pair)
        for expression in expressions()
        for name, labels in LABEL.findall(expression)
        for pair in re.findall(r'(\w+)!?="([^"]*)"', labels)
    }
    values = {"limit": {*ADDRESS, *VISITOR, "unanswered"}, "outcome": {"failed"}, "status": {"5xx"}}
    for name, label, value in asked - {each for each in asked if each[1] == "job"}:
        metric = re.sub(r"_(total|bucket|count|sum)$", "", name)
        assert label in own[metric], name
        assert value in values[label], name


def test_the_values_are_words_of_the_program() -> None:
    sources = [path.read_text() for path in (ROOT / "src/chouine/server").rglob("*.py")]
    words = {
        node.value for text in sources for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)
    }
    assert {"unanswered", "failed"} <= words


def test_every_alert_has_its_line_in_the_page() -> None:
    """With its condition, and what to do."""
    section = PAGE.split("\n## Metrics and alerts\n")[1].split("\n## ")[0]
    lines = {
        cells[0].strip(): cells
        for row in re.findall(r"^\| (\w[^\n]*) \|$", section, re.MULTILINE)
        if len(cells := re.split(r"(?<!\\)\|", row)) == 3
    }
    assert len(alerts()) > 10
    for rule in alerts():
        _, condition, to_do = lines[rule["alert"]]
        assert to_do.strip()
        for metric in METRIC.findall(rule["expr"]):
            assert metric in condition, (rule["alert"], metric)
        assert rule["annotations"]["summary"]
        assert rule["for"]


def test_no_two_panels_or_alerts_share_a_name() -> None:
    names = [rule["alert"] for rule in alerts()]
    assert len({*names}) == len(names)
    ids = [panel["id"] for panel in panels()]
    assert len({*ids}) == len(ids)
    titles = [panel["title"] for panel in panels()]
    assert len({*titles}) == len(titles)
    assert not [panel["title"] for panel in panels() if not panel["targets"]]
