"""The Gymnasium environment of one partie: its checker, action masks, and error messages."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import chouine.envs  # noqa: F401  # registers it
from chouine.envs import chouine_v0
from chouine.envs.encode import LET_PASS, NUMBERS
from chouine.envs.numbered_partie import UnknownRenderMode
from chouine.envs.single import ChouineEnv
from chouine.envs.vector import ChouineVectorEnv
from chouine.errors import ChouineError
from chouine.fast import BatchError
from chouine.notation.display import face


def first_open(env: ChouineEnv) -> int:
    return int(env.action_masks().argmax())


@pytest.mark.filterwarnings("ignore:.*(render|not within the observation space).*:UserWarning")
def test_gymnasium_s_own_checks() -> None:
    check_env(ChouineEnv("three", "eager"), skip_render_check=True)


@pytest.mark.parametrize("name", ["chouine/Chouine-v0", "chouine.envs:chouine/Chouine-v0"])
def test_it_is_made_by_its_name(name: str) -> None:
    env = gymnasium.make(name, rules="four", opponent="eager")
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    many = gymnasium.make_vec(name, num_envs=3, rules="four")
    assert many.single_observation_space == env.observation_space
    assert many.single_action_space == env.action_space


def test_masks_are_found_where_masking_libraries_look() -> None:
    """Through Gymnasium's wrappers, `action_masks` returns boolean arrays as sb3-contrib expects."""
    env = gymnasium.make("chouine/Chouine-v0")
    seen, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert masks.shape == (NUMBERS,)
    assert (masks == seen["action_mask"].astype(bool)).all()


def test_a_seed_may_be_numpy_s() -> None:
    """As whoever draws seeds from a generator has them."""
    seed = np.random.default_rng(1).integers(100)
    for env in (ChouineEnv(), ChouineVectorEnv(np.int64(2), threads=np.int64(1))):  # type: ignore[arg-type]
        seen, _ = env.reset(seed=seed)  # type: ignore[arg-type]
        again, _ = env.reset(seed=int(seed))
        assert (np.asarray(seen["action_mask"]) == np.asarray(again["action_mask"])).all()
    agents = chouine_v0.env()
    agents.reset(seed=seed)
    with pytest.raises(TypeError, match="seed is an int"):
        ChouineEnv().reset(seed=1.5)  # type: ignore[arg-type]


def test_parties_follow_one_another_and_the_deal_passes() -> None:
    env, ends, leads = ChouineEnv(), 0, []
    seen, _ = env.reset(seed=1)
    for _ in range(600):
        seen, reward, over, cut, info = env.step(first_open(env))
        assert not cut
        assert over == bool(info) == (not seen["action_mask"].any())
        assert reward in (-1, 0, 1)
        if over:
            ends += 1
            assert sum(info["points"]) >= 0
            leads.append(env.row.partie(0).p.leader)
            env.reset()
    assert ends > 20
    assert 0.3 < np.mean(leads) < 0.7


def test_a_seed_is_the_same_again() -> None:
    def observations(env: ChouineEnv) -> list[Any]:
        seen, _ = env.reset(seed=5)
        return [seen["observation"].tolist()] + [
            env.step(first_open(env))[0]["observation"].tolist() for _ in range(5)
        ]

    assert observations(ChouineEnv()) == observations(ChouineEnv())
    env = ChouineEnv()
    assert observations(env) == observations(env)


def test_an_illegal_action_loses_and_says_why() -> None:
    env = ChouineEnv("three")
    env.reset(seed=1)
    seen, reward, over, _, info = env.step(int((~env.action_masks()).argmax()))
    assert (reward, over) == (-1.0, True)
    assert "§" in info["illegal"]
    assert not seen["action_mask"].any()
    with pytest.raises(ChouineError, match="reset"):
        env.step(0)
    env.reset()
    env.step(first_open(env))


def test_what_an_opponent_does_wrong_is_not_the_learner_s_fault() -> None:
    def begin(seed: int) -> None:
        env = ChouineEnv(opponent=lambda _, masks: np.full(len(masks), LET_PASS))
        env.reset(seed=seed)
        env.step(first_open(env))

    for seed in range(3):
        with pytest.raises(BatchError, match="action 51 is not legal"):
            begin(seed)


@pytest.mark.parametrize("mode", ["ansi", "human"])
def test_it_is_drawn_as_the_learner_sees_it(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = ChouineEnv(render_mode=mode)
    env.reset(seed=1)
    env.step(first_open(env))
    text = env.render() or capsys.readouterr().out
    own, others = env.row.partie(0).state.deal.hands
    assert "classic" in text
    assert all(face(card, "en") in text for card in own)
    assert not all(face(card, "en") in text for card in others)


def test_other_render_modes_and_options_are_refused() -> None:
    with pytest.raises(UnknownRenderMode, match="Known: ansi, human"):
        ChouineEnv(render_mode="rgb_array")
    with pytest.raises(ChouineError, match="options"):
        ChouineEnv().reset(options={"deal": 1})
    with pytest.raises(ChouineError, match="options"):
        ChouineVectorEnv(2).reset(options={"deal": 1})


def test_only_the_rows_of_a_reset_mask_are_dealt_anew() -> None:
    env = ChouineVectorEnv(6)
    env.reset(seed=1)
    seen, *_ = env.step(env.sight()["action_mask"].argmax(axis=1))
    before, mask = seen["observation"].copy(), np.array([True, False] * 3)
    after, _ = env.reset(options={"reset_mask": mask})
    assert (after["observation"][~mask] == before[~mask]).all()
    assert (after["observation"][mask] != before[mask]).any(axis=1).all()
    for wrong in (np.ones(5, np.bool_), np.ones(6)):
        with pytest.raises(ChouineError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
