"""The benchmark's implementations of one partie, ours and OpenSpiel's, agree on every card and the winner."""

from __future__ import annotations

from benchmarks.openspiel import play_pair


def test_a_pair_against_its_search_is_played_out() -> None:
    pair = play_pair("greedy", 2, 7)
    assert len(pair.outcomes) == 2
    assert len(pair.micros[1]) >= 2 * 16, "a card a trick, both times"
    assert play_pair("greedy", 2, 7).outcomes == pair.outcomes
