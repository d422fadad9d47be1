"""Computer players, and their comments on a partie."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    "network/weights": N_(
        "%(path)s does not hold weights for this network: install chouine again, or train anew."
    ),
    "network/no-file": N_("%(path)s: there is no such file."),
    "network/none": N_("There is no network for “%(preset)s”."),
    "thinking/no-compiler": N_("Thinking ahead in many worlds needs numba: pip install 'chouine[fast]'."),
    "level/unknown": N_("There is no level %(number)s: %(levels)s."),
    "level/needs-fast": N_(
        "Level %(number)s thinks ahead in many worlds: it needs numba, pip install 'chouine[fast]'."
    ),
    "advice/first": N_(
        "For now, without thinking ahead: %(act)s. Advice follows once it is compiled, which takes half a minute on a"
        " free core, and is done once (chouine warm does it in advance)."
    ),
    "advice/act": N_("%(act)s: %(win)s chance to win (%(low)s to %(high)s)"),
    "advice/behind": N_(
        "%(act)s: %(win)s chance to win (%(low)s to %(high)s), behind the best by %(behind)s ± %(error)s"
    ),
    "advice/sure": N_("%(act)s: %(win)s chance to win"),
    "advice/line": N_("What is likely to follow: %(line)s"),
    "advice/best-line": N_("If both play their best: %(line)s"),
    "advice/why": N_("%(best)s rather than %(second)s: %(why)s"),
    "advice/world": N_("Tried in one likely layout of the hidden cards."),
    "advice/worlds": N_(
        "Tried in %(worlds)s likely layouts of the hidden cards, against level 8; in brackets the 95%% interval."
    ),
    "advice/worlds-between": N_(
        "Each action was tried in %(fewest)s to %(worlds)s likely layouts of the hidden cards, against level 8; in "
        "brackets the 95%% interval."
    ),
    "advice/certain": N_("%(act)s: %(outcome)s"),
    "advice/settled": N_("Certain, whatever the hidden cards are%(because)s"),
    "advice/because": N_(": %(why)s"),
    "advice/exact": N_("All hands are known: this is certain."),
    "advice/equilibrium": N_(
        "Worked out over every hand that the other side may hold, as if it too played its best; acts "
        "worth the same are best played now one, now another."
    ),
    "advice/impossible": N_("No deal allows what was played: check the cards in this line."),
    "outcome/lost": N_("lost"),
    "outcome/nulle": N_("a nulle"),
    "outcome/won": N_("won"),
    "review/blunder": N_("blunder"),
    "review/mistake": N_("mistake"),
    "review/inaccuracy": N_("inaccuracy"),
    "review/line": N_(
        "Trick %(trick)s, %(seat)s, %(done)s: %(cost)s chance to win (%(label)s); better: %(best)s%(why)s"
    ),
    "review/from-to": N_("the partie was %(before)s, now it is %(after)s"),
    "review/sum": N_(
        "%(seat)s: %(result)s = %(fair)s (fair share) %(errors)s (own mistakes%(small)s) %(others)s "
        "(the opponent's) %(luck)s (luck)"
    ),
    "review/sum-of-several": N_(
        "%(seat)s: %(result)s = %(fair)s (fair share) %(errors)s (own mistakes%(small)s) %(others)s "
        "(the others', shared out evenly) %(luck)s (luck)"
    ),
    "review/comment": N_("%(seat)s, %(done)s: %(cost)s (%(label)s); better: %(best)s%(why)s"),
    "review/costs": N_("%(seat)s: %(errors)s (own mistakes%(small)s); the partie was not played out"),
    "review/small": N_(", %(cost)s of them small"),
    "review/partie": N_("Partie %(number)s (%(rules)s)"),
    "review/none": N_("No sure mistake."),
    "review/unknown": N_("Partie %(number)s: not all cards are known, so it cannot be analysed."),
    "review/empty": N_("There is no partie to analyse."),
    "reason/average": N_("on average %(amounts)s"),
    "reason/wins": N_("a chouine wins the partie"),
    "reason/turnup": N_("%(rank)s of trumps instead of the seven"),
    "reason/tricks": NN_(
        "a lead %(amount)s point better in the tricks before the talon ends",
        "a lead %(amount)s points better in the tricks before the talon ends",
    ),
    "reason/declared": NN_("%(amount)s more point declared", "%(amount)s more points declared"),
    "reason/others-declared": NN_(
        "%(amount)s fewer point declared by the other side",
        "%(amount)s fewer points declared by the other side",
    ),
    "reason/trumps": NN_(
        "%(amount)s more trump for the last tricks", "%(amount)s more trumps for the last tricks"
    ),
    "reason/brisques": NN_(
        "%(amount)s more brisque for the last tricks", "%(amount)s more brisques for the last tricks"
    ),
    "reason/chouine": NN_(
        "a chouine declared in %(amount)s more partie of a hundred",
        "a chouine declared in %(amount)s more parties of a hundred",
    ),
    "reason/others-chouine": NN_(
        "a chouine by the other side in %(amount)s fewer partie of a hundred",
        "a chouine by the other side in %(amount)s fewer parties of a hundred",
    ),
    # An act, said of somebody or advised
    "act/exchange": N_("exchange the seven"),
    "act/pass": N_("keep the seven"),
    "act/declared": N_("%(card)s + %(said)s"),
}
