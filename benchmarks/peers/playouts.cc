// Random playouts, deal included, by OpenSpiel's own loop, which its Python package contains but does not export; for a
// process that has loaded OpenSpiel.
#include "open_spiel/algorithms/mcts.h"
#include "open_spiel/spiel.h"

extern "C" void playouts(const char* game, int count, int seed) {
  const auto before = open_spiel::LoadGame(std::string(game))->NewInitialState();
  open_spiel::algorithms::RandomRolloutEvaluator(count, seed).Evaluate(*before);
}
