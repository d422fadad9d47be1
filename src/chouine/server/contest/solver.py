"""The matching solver for draws, by networkx."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.contest.pairing import Edge
from chouine.errors import ActRefused


def cheapest_matching(edges: Sequence[Edge]) -> list[tuple[int, int]]:
    """A minimum-cost matching among those with the most pairs; exact, in integers."""
    try:
        import networkx as nx
    except ImportError as fault:
        raise ActRefused("contest/no-solver") from fault
    graph = nx.Graph()
    graph.add_weighted_edges_from((one, other, -cost) for one, other, cost in edges)
    return [(one, other) for one, other in nx.max_weight_matching(graph, maxcardinality=True)]
