# Copyright 2026 The Chouine authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Lint as python3
"""Tests for OpenSpiel's wrapper of the package chouine."""

import random
import unittest

from absl.testing import absltest
from absl.testing import parameterized

from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
import pyspiel

try:
  from open_spiel.python.games import chouine_wrapper  # pylint: disable=g-import-not-at-top
except ImportError:
  chouine_wrapper = None


@unittest.skipIf(chouine_wrapper is None, "chouine is not installed")
class ChouineTest(parameterized.TestCase):

  @parameterized.parameters("classic", "mondoubleau", "three", "four")
  def test_random_sim(self, preset):
    game = pyspiel.load_game("chouine", {"preset": preset})
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)

  def test_players_follow_from_the_preset(self):
    for preset, players in (("classic", 2), ("three", 3), ("four", 4)):
      game = pyspiel.load_game("chouine", {"preset": preset})
      self.assertEqual(game.num_players(), players)

  def test_a_resampled_state_has_the_same_information(self):
    rng = random.Random(1)
    state = pyspiel.load_game("chouine").new_initial_state()
    while not state.is_terminal():
      if state.is_chance_node():
        cards, chances = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(cards, chances)[0])
        continue
      player = state.current_player()
      other = state.resample_from_infostate(player, rng.random)
      self.assertEqual(
          other.information_state_string(player),
          state.information_state_string(player),
      )
      self.assertEqual(other.legal_actions(), state.legal_actions())
      state.apply_action(rng.choice(state.legal_actions()))
    self.assertAlmostEqual(sum(state.returns()), 0)

  def test_a_small_pack_is_walked_whole(self):
    game = pyspiel.load_game("chouine", {"ranks": "A7", "suits": 2, "hand": 1})
    self.assertAlmostEqual(
        exploitability.exploitability(game, policy.UniformRandomPolicy(game)),
        1 / 12,
    )


if __name__ == "__main__":
  absltest.main()
