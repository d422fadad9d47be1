// Random playouts by OpenSpiel's own loop, from before the cards are dealt, for a program that has loaded OpenSpiel:
// its Python package has this loop but no name for it.
#include "open_spiel/algorithms/mcts.h"
#include "open_spiel/spiel.h"

extern "C" void playouts(const char* game, int count, int seed) {
  const auto before = open_spiel::LoadGame(std::string(game))->NewInitialState();
  open_spiel::algorithms::RandomRolloutEvaluator(count, seed).Evaluate(*before);
}
