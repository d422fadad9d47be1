"""How a contest ended, in the same words for its desk, its players and the newspaper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chouine.contest import Contest, RoundTable, palmares
from chouine.contest.ranking import Ranked, keys_of
from chouine.contest.views import is_final
from chouine.phrases import N_, Language, signed_number, translations

LATER = {
    0: N_("%(rank)sth place"),
    1: N_("%(rank)sst place"),
    2: N_("%(rank)snd place"),
    3: N_("%(rank)srd place"),
}
"""Places after the first by their last digit, as English says them; 0 for all others."""
TIES = {
    "manches": N_("As many wins as the second place, and a better balance of manches."),
    "parties": N_("As many wins as the second place, and a better balance of parties."),
    "opponents": N_("As many wins as the second place, and opponents who won more."),
    "above": N_("As many IMPs as the second place, and a gain at more parties."),
    "club": N_("Equal to the second place: the club has decided."),
}
"""What decides between equal wins, or equal IMPs."""


def place_words(gettext: Callable[[str], str], rank: int) -> str:
    """A place: `First place`, `2nd place`."""
    if rank == 1:
        return gettext("First place")
    last = 0 if rank % 100 in (11, 12, 13) else rank % 10
    return gettext(LATER.get(last, LATER[0])) % {"rank": rank}


def won_final(contest: Contest) -> RoundTable | None:
    """The final, if the first of the ranking has won it at the table."""
    last = contest.main[-1]
    final = last.tables[0] if len(last.tables) == 1 and len(last.tables[0].players) == 2 else None
    first = palmares(contest).ranking[0].number
    known = final is not None and final.score is not None and final.winner == first
    return final if known and (contest.formula.knock_out or contest.pools) else None


def ending_told(contest: Contest, names: Mapping[int, str], language: Language) -> list[str]:
    """Who wins a contest, and what decided it; nothing before the ranking is the last."""
    if not contest.main or not is_final(contest):
        return []
    gettext, ranking = translations(language).gettext, palmares(contest).ranking
    firsts = [names[one.number] for one in ranking if one.rank == 1]
    if len(firsts) > 1:
        return [gettext("The first place is shared: %(names)s.") % {"names": ", ".join(firsts)}]
    decided = what_decided(contest, ranking, names, language)
    return [gettext("%(name)s wins the contest.") % {"name": firsts[0]}, *([decided] if decided else [])]


def what_decided(
    contest: Contest, ranking: Sequence[Ranked], names: Mapping[int, str], language: Language
) -> str:
    """The final, the wins, or what decided between equal wins; empty where the tree alone tells it."""
    words = translations(language)
    if (final := won_final(contest)) is not None and final.score is not None:
        told = {
            "winner": names[ranking[0].number],
            "opponent": names[final.losers[0]],
            "score": final.score.of_winner(),
        }
        return words.gettext("%(winner)s won the final against %(opponent)s, %(score)s.") % told
    if len(ranking) == 1:
        return ""
    keys, formula = keys_of(contest), contest.formula
    criteria = ("", "imps", "above", "club") if formula.deals else ("", "", "wins", *formula.ties, "club")
    first, second = (keys[one.number] for one in ranking[:2])
    unequal = next((nth for nth, own in enumerate(first) if own != second[nth]), len(first))
    if criteria[unequal] == "wins":
        wins = ranking[0].tally.wins
        return words.ngettext(
            "%(num)s win, more than anybody else.", "%(num)s wins, more than anybody else.", wins
        ) % {"num": wins}
    if criteria[unequal] == "imps":
        imps = signed_number(ranking[0].tally.imps, language)
        return words.gettext("IMPs: %(imps)s, more than anybody else.") % {"imps": imps}
    return words.gettext(TIES[criteria[unequal]]) if criteria[unequal] else ""
