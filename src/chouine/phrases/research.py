"""Errors of the research environment."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "research/missing": N_("%(package)s is not installed: pip install 'chouine[research]'."),
    "research/no-such-action": N_("There is no action %(action)s: they go from 0 to 51."),
    "research/no-au-sept": N_("There is no “au sept” to let pass (§11)."),
    "research/pack": N_(
        "%(cards)s cards cannot be dealt as %(seats)s hands of %(hand)s (1 to %(most)s cards each) and "
        "a turnup if one is due."
    ),
    "research/chance": N_("A card is awaited, not a decision: there is no other world to draw."),
    "research/count": N_("There must be one party and one thread at least; got %(parties)s and %(threads)s."),
    "research/simulations": N_("There must be one simulation a decision at least; got %(simulations)s."),
    "research/opponent": N_(
        "'%(opponent)s' is no opponent: %(known)s, a player, or a function of observations and masks."
    ),
    "research/pool": N_(
        "There must be one opponent at least, and a weight for each; got %(opponents)s and %(weights)s."
    ),
    "research/weight": N_("An opponent's weight is a number above 0; got %(weight)s."),
    "research/options": N_("Unknown options of reset(): %(options)s."),
    "research/reset-mask": N_(
        "reset_mask is an array of %(count)s booleans, one a party, once all are dealt."
    ),
    "research/render": N_("Unknown render mode: %(mode)s. Known: %(known)s."),
    "research/slow": N_(
        "Without numba this environment is a hundred times slower: pip install 'chouine[research]'."
    ),
    "research/folder": N_("%(folder)s is not empty: name a new folder."),
    "research/unfinished": N_("%(folder)s holds the beginning of another data set: name a new folder."),
    "research/parquet": N_("Parquet needs pyarrow: pip install 'chouine[parquet]'."),
    "research/not-reset": N_("Nothing is dealt: call reset() first."),
}
