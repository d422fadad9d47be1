"""Measure who plays better and by how much: duplicate pairs, intervals, ratings; on one machine or a cluster."""

from __future__ import annotations

from chouine.arena.pairs import Duel, Pair, play_pair
from chouine.arena.score import PairScore, Sprt

__all__ = ["Duel", "Pair", "PairScore", "Sprt", "play_pair"]
