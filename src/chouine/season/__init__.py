"""Seasons (« challenges ») of contests, as pure functions; needs the standard library only.

A season is its log of acts, sealed as a contest's: `season_of` folds it, `add` adds an act, `ranking` ranks. Results
(`results`) carry an evening from a contest, or from another season, to a season.
"""

from chouine.season.ranking import CATEGORIES, Category, ranking
from chouine.season.state import Season, SeasonLine, add, season_of

__all__ = ["CATEGORIES", "Category", "Season", "SeasonLine", "add", "ranking", "season_of"]
