"""The compared figures, and the differences between the two sides."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.cli import bench

NAMES = bench.MEANINGS | {
    "batch_1000_steps_s": "actions a second in a batch of 1,000 parties",
    "batch_10000_steps_s": "actions a second in a batch of 10,000 parties",
    "batch_100000_steps_s": "actions a second in a batch of 100,000 parties",
    "vector_1000_steps_s": "steps a second of `ChouineVectorEnv`, 1,000 parties",
    "vector_10000_steps_s": "steps a second of `ChouineVectorEnv`, 10,000 parties",
    "vector_100000_steps_s": "steps a second of `ChouineVectorEnv`, 100,000 parties",
    "state_parties_s": "parties a second by `State.play`: each action checked, told and kept as values",
    "pettingzoo_decisions_s": "decisions a second of `chouine_v0.env`, PettingZoo",
    "spiel_decisions_s": "decisions a second of `chouine` in OpenSpiel's `rl_environment`",
    "c_fused": "C yardstick, one party after another",
    "c_step": "C yardstick, action after action",
    "c_tuned": "C yardstick, tuned",
    "c_solve": "C yardstick, endings",
    "openspiel_german_whist_foregame_games_s": "OpenSpiel German whist",
    "openspiel_hearts_games_s": "OpenSpiel hearts",
    "openspiel_euchre_games_s": "OpenSpiel euchre",
    "openspiel_skat_games_s": "OpenSpiel skat",
    "openspiel_german_whist_foregame_ismcts_sims_s": "OpenSpiel ISMCTS, German whist",
    "openspiel_hearts_ismcts_sims_s": "OpenSpiel ISMCTS, hearts",
    "openspiel_euchre_ismcts_sims_s": "OpenSpiel ISMCTS, euchre",
    "openspiel_skat_ismcts_sims_s": "OpenSpiel ISMCTS, skat",
    "dds_solves_s": "DDS through endplay",
    "pgx_bridge_bidding_1000_steps_s": "pgx bridge_bidding, batch of 1,000",
    "pgx_bridge_bidding_10000_steps_s": "pgx bridge_bidding, batch of 10,000",
    "pgx_leduc_holdem_1000_steps_s": "pgx leduc_holdem, batch of 1,000",
    "pgx_leduc_holdem_10000_steps_s": "pgx leduc_holdem, batch of 10,000",
    "schnapsen_games_s": "schnapsen, its two random bots",
    "rlcard_gin-rummy_decisions_s": "RLCard gin rummy",
    "rlcard_doudizhu_decisions_s": "RLCard doudizhu",
    "rlcard_bridge_decisions_s": "RLCard bridge",
    "openspiel_hearts_decisions_s": "OpenSpiel hearts, from Python",
    "openspiel_euchre_decisions_s": "OpenSpiel euchre, from Python",
    "openspiel_python_block_dominoes_decisions_s": "OpenSpiel `python_block_dominoes`",
}
SHORT = {
    "plain_parties_s": "Chouine, plain Python",
    "state_parties_s": "Chouine, `State.play`",
    "compiled_parties_s": "Chouine, compiled",
    "compiled_eager_parties_s": "Chouine, compiled, eager",
    "solves_s": "Chouine, margin",
    "outcome_solves_s": "Chouine, who wins",
    "declaring_solves_s": "Chouine, declarations too",
    "batch_1000_steps_s": "Chouine, actions in 1,000",
    "batch_10000_steps_s": "Chouine, actions in 10,000",
    "batch_100000_steps_s": "Chouine, actions in 100,000",
    "vector_1000_steps_s": "Chouine, environment of 1,000",
    "vector_10000_steps_s": "Chouine, environment of 10,000",
    "vector_100000_steps_s": "Chouine, environment of 100,000",
    "vector_steps_s": "Chouine, environment of 100,000, two threads",
    "ismcts_sims_s": "Chouine, ISMCTS",
    "pettingzoo_decisions_s": "Chouine, PettingZoo",
    "spiel_decisions_s": "Chouine, OpenSpiel",
}
"""Names of our figures in tables and plots that show the unit."""


@dataclass(frozen=True)
class Comparison:
    ours: str
    theirs: str
    differs: str


EAGER = "Same game and choices: whatever can be exchanged or declared is."
CHOOSING = (
    "Same game; Chouine also chooses what to declare and whether to exchange, the C program always does."
)
OTHER_GAME = "Another game, {}; dealing counted on both sides."
IN_PYTHON = "Another game in Python, 20 cards and two seats."
FOUR_HANDS = "Four hands and 20 cards there, two hands and 10 cards here."
STEPS = (
    "Observations, masks and new deals on both sides, drawing on neither; here a step is also the opponent's."
)
TINY = STEPS + " Six cards in all there."
SINGLY = "Other games; what is seen and what is legal at each step, dealing counted, on both sides."
SPIEL = "Other games through the same `rl_environment`."
ITSELF = "Chouine beside itself: what {} costs."
CARDS_ONLY = "Endings of the same kind, cards alone."


def random_play(theirs: str, game: str) -> Comparison:
    return Comparison("compiled_parties_s", f"openspiel_{theirs}_games_s", OTHER_GAME.format(game))


GROUPS = {
    "Random games a second": (
        Comparison("compiled_eager_parties_s", "c_fused", EAGER),
        Comparison("compiled_parties_s", "c_fused", CHOOSING),
        random_play("german_whist_foregame", "two seats and a talon"),
        random_play("hearts", "four seats and 52 cards"),
        random_play("euchre", "four seats and 24 cards"),
        random_play("skat", "three seats and 32 cards"),
        Comparison("plain_parties_s", "schnapsen_games_s", IN_PYTHON),
        Comparison("state_parties_s", "schnapsen_games_s", IN_PYTHON),
    ),
    "Endings of five cards a hand, solved a second": (
        Comparison("solves_s", "c_solve", CARDS_ONLY),
        Comparison("outcome_solves_s", "c_solve", CARDS_ONLY + " Who wins here, the margin there."),
        Comparison("solves_s", "dds_solves_s", FOUR_HANDS),
        Comparison("declaring_solves_s", "dds_solves_s", FOUR_HANDS + " Declarations played out here."),
    ),
    "Steps a second of games in a batch": (
        Comparison("vector_1000_steps_s", "pgx_bridge_bidding_1000_steps_s", STEPS),
        Comparison("vector_10000_steps_s", "pgx_bridge_bidding_10000_steps_s", STEPS),
        Comparison("vector_1000_steps_s", "pgx_leduc_holdem_1000_steps_s", TINY),
        Comparison("vector_10000_steps_s", "pgx_leduc_holdem_10000_steps_s", TINY),
        Comparison("vector_100000_steps_s", "vector_1000_steps_s", ITSELF.format("size")),
        Comparison(
            "vector_steps_s", "vector_100000_steps_s", ITSELF.format("a second thread, by the clock,")
        ),
        Comparison(
            "batch_10000_steps_s", "vector_10000_steps_s", "Chouine without an environment: rules alone."
        ),
    ),
    "Decisions a second, one game at a time from Python": (
        *(
            Comparison("pettingzoo_decisions_s", f"rlcard_{game}_decisions_s", SINGLY)
            for game in ("gin-rummy", "doudizhu", "bridge")
        ),
        Comparison(
            "spiel_decisions_s", "openspiel_python_block_dominoes_decisions_s", SPIEL + " Python too."
        ),
        Comparison("spiel_decisions_s", "openspiel_hearts_decisions_s", SPIEL + " C++ there."),
        Comparison("spiel_decisions_s", "openspiel_euchre_decisions_s", SPIEL + " C++ there."),
    ),
    "ISMCTS simulations a second": tuple(
        Comparison(
            "ismcts_sims_s", f"openspiel_{game}_ismcts_sims_s", "Another game; from the first decision."
        )
        for game in ("german_whist_foregame", "hearts", "euchre", "skat")
    ),
}
