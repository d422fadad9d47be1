"""What a score sheet refuses (`match/…`), and its words for misdeals (§4) and faults (§15)."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "syntax/format": N_(
        "Unknown format: %(token)s. For example 5x2, two winning manches of five parties; 3, one manche."
    ),
    "match/one-manche": N_("With %(seats)s seats a match is one manche, §13."),
    "match/over": N_("The match is over, §13."),
    "match/not-over": N_("The match is not over, §13."),
    "match/no-draw": N_("No draw now: it is known who deals, §13."),
    "match/draw-first": N_("The draw for the deal must be made first, §2."),
    "match/cut-void": N_(
        "Void cut: each packet must have at least %(least)s cards; cut between %(least)s and %(most)s, §2."
    ),
    "match/entry": N_("This cannot stand on this score sheet: %(entry)s."),
    "match/data": N_("A score sheet that cannot be read: %(piece)s."),
    "match/version": N_("A score sheet of an unknown version: %(version)s (known: %(known)s)."),
    "match/misdeal/card-seen": N_("A card was seen by whom it was not meant for, §4."),
    "match/misdeal/wrong-deal": N_("The deal was not made as the rules say, §4."),
    "match/misdeal/pack-incomplete": N_("The pack is incomplete, §4."),
    "match/misdeal/hand-size": N_("A hand has too many cards, or too few, §4."),
    "match/misdeal/wrong-hand": N_("A player picked up another's hand, §4."),
    "match/fault/drew-others": N_("Drew the opponent's card, §15."),
    "match/fault/saw-others": N_("Saw the opponent's card, §15."),
    "match/fault/drew-two": N_("Drew two cards, §15."),
    # The score keeper
    "sheet/act": N_("That cannot be read: %(piece)s. Load the page again."),
    "sheet/full": N_("This sheet is full: begin a new one."),
    "sheet/not-now": N_("Not now: the sheet has moved on. Look at it again."),
    "sheet/figure": N_("There is no such declaration with so many players, §9."),
    "sheet/declared-already": N_(
        "This was declared already: a figure counts once, and in one suit only one of them, §9."
    ),
    "sheet/others-cards": N_(
        "The other player has declared with these cards: they were not in this hand, §9."
    ),
    "sheet/chouine-said": N_("After a chouine only another chouine counts, §10."),
    "sheet/agreed-already": N_("You have agreed already."),
    "sheet/two-only": N_("On the sheet this is for two players: with more, the count of all piles decides."),
    "sheet/count-heads": N_(
        "By aces and tens alone it is too close: kings, queens and jacks count %(heads)s. Count them too, §12."
    ),
    "sheet/piles": N_("Count the piles in one way: either points or cards."),
    "sheet/pile-missing": N_("A pile is missing from the count."),
    "sheet/sum": N_("That makes %(sum)s, and it must make %(whole)s: count again, §12."),
    "sheet/no-der": N_("Say who took the last trick: it counts 10, §12."),
    "sheet/no-count": N_("Count a pile: its points, or how many it has of each card."),
    "sheet/no-number": N_("The points of a pile are a number from 0 to %(most)s."),
}
