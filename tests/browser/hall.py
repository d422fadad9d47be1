"""The desk of a contest in a subprocess, as on a laptop in a hall."""

from __future__ import annotations

import re
import signal
from contextlib import closing
from pathlib import Path
from random import Random

import httpx

from chouine.cli import main
from chouine.contest import (
    ActRefused,
    Contest,
    ContestOpened,
    Entered,
    Formula,
    Paid,
    ResultEntered,
    Stage,
    add,
    commit,
    draw,
    formula_for,
)
from chouine.contest.chance import Chance
from chouine.contest.people import Person, details_of
from chouine.contest.simulate import any_score
from chouine.phrases import Language
from chouine.server.contest.contest_file import create_file
from chouine.server.contest.contest_store import ContestStore, now
from chouine.server.contest.desk import ROLES, Role
from chouine.server.contest.solver import cheapest_matching
from tests.forked import ForkedProcess
from tests.patience import PATIENCE
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
SEED = "5eed"
MINUTE = 60_000
FIRST = (
    "Agnès", "Benoît", "Céline", "Denis", "Élodie", "Fabrice", "Gisèle", "Hervé", "Irène", "Jules", "Karine",
    "Lucien", "Marie-Thérèse", "Noël", "Odette", "Paul", "Quentin", "Renée", "Simon", "Thérèse", "Yves",
)  # fmt: skip
LAST = ("Bordier", "Chéron", "Dutertre", "Épron", "Fouquet-Gaultier", "Guillonneau", "Hersant", "Janvier",
        "Lhéritier de Saint-Rimay", "Moreau")  # fmt: skip
VILLAGES = (
    "Lavardin",
    "Montoire-sur-le-Loir",
    "Troo",
    "Couture-sur-Loir",
    "Les Roches-l’Évêque",
    "Vendôme",
    "",
)


def person(number: int) -> Person:
    """A made-up person, the same for each number."""
    name = f"{FIRST[number % len(FIRST)]} {LAST[number * 7 % len(LAST)]}"
    return Person(name, VILLAGES[number * 5 % len(VILLAGES)])


class Hall:
    """A contest's file, and its desk."""

    def __init__(
        self,
        folder: Path,
        *,
        formula: Formula | None = None,
        made: bool = True,
        rooms: tuple[tuple[str, int], ...] = (),
        language: Language = "fr",
    ) -> None:
        """`made`: create the contest's file; otherwise the desk starts with the page that opens a contest.

        `language`: that of the contest's papers.
        """
        self.folder, self.made = folder, made
        self.path = folder / "lavardin.chouine"
        self.copy = folder / "usb" / "lavardin.chouine"
        folder.parent.mkdir(parents=True, exist_ok=True)
        if made:
            self.copy.parent.mkdir()
            act = ContestOpened(
                formula or formula_for("lavardin"), commit(SEED), "Lavardin 2027", 1000, 1500, rooms, language
            )
            # in the past, so that `fill` can play rounds
            opened = add(None, act, "desk", now() - 12 * 60 * MINUTE)
            create_file(self.path, str(opened.head), SEED)
        self.process: ForkedProcess | None = None
        self.url = ""
        self.opening = ""
        self.port = free_port()

    def start(self) -> None:
        """Start the desk, again on its former port."""
        call = ["concours", "open"]
        file = [str(self.path), "--copy", str(self.copy)]
        call += file if self.made else ["--folder", str(self.folder)]
        self.listen(call, told=self.made)

    def listen(self, call: list[str], *, told: bool) -> None:
        """Start a program that serves; `told`: it prints an address for others before its own."""
        call += ["--host", "127.0.0.1", "--port", str(self.port), "--no-browser", "--language", "fr"]
        self.process = ForkedProcess(main, call)
        if told:
            self.process.stdout.readline()
        here = self.process.stdout.readline()
        assert "http" in here, f"the desk said {here!r}"
        self.opening = here[here.index("http") :].strip()
        self.url = self.opening[: self.opening.index("/open")]

    def pin(self, role: Role) -> str:
        """A role's PIN, as the desk's page shows it."""
        with httpx.Client(follow_redirects=True) as http:
            http.get(self.opening)
            pins = re.findall(r'class="pin">(\d{6})<', http.get(f"{self.url}/desks").text)
        return str(pins[ROLES.index(role) - 1])

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process.stdout.close()
            self.process = None

    @property
    def contest(self) -> Contest:
        """The contest in its file."""
        with closing(ContestStore(self.path)) as store:
            return store.contest

    def fill(self, entries: int, rounds: int = 0, *, open_tables: int = 0) -> None:
        """Enter people, ladies and juniors among them, and play rounds.

        Each round is played in both stages; `open_tables` tables of the last round stay open.
        """
        rng = Random(entries)
        at = now() - (rounds * 40 + 30) * MINUTE
        with closing(ContestStore(self.path)) as store:
            for number in range(1, entries + 1):
                who = person(number)
                details = details_of(
                    who,
                    store.people,
                    store.contest,
                    lady=number % 3 == 0,
                    junior=number % 11 == 0,
                    meals=number % 2,
                )
                store.do(Entered(number, details), "entry 1", who, at)
                store.do(Paid(number, 1000), "entry 1", at=at)
            for nth in range(rounds):
                at += 40 * MINUTE
                stages: tuple[Stage, ...] = ("main", "consolante") if nth else ("main",)
                for stage in stages:
                    left = open_tables if nth == rounds - 1 else 0
                    play_round(store, stage, Chance(str(rng.random())), left, at)


def play_round(store: ContestStore, stage: Stage, chance: Chance, left: int, at: int) -> None:
    """Draw a round if possible and play all its tables but `left`, each in 15 to 30 minutes."""
    try:
        store.do(draw(store.contest, stage, SEED, "Qh", solver=cheapest_matching), "desk", at=at)
    except ActRefused:
        return
    round_ = store.contest.rounds(stage)[-1]
    for table in round_.open[: len(round_.open) - left]:
        score = any_score(round_, table, store.contest.formula.members, chance)
        store.do(
            ResultEntered(stage, round_.number, table.number, score),
            "results 1",
            at=at + (15 + chance.number_below(15)) * MINUTE,
        )
