"""Errors in what is read: texts, deals, records, batches, digests, matches played offline."""

from chouine.phrases.catalogue import N_

FORMS = (
    N_("dealer hands turnup talon"),
    N_("rules dealer hands turnup talon : actions"),
    N_("rules to-act hands table turnup|trump talon taken said"),
)
"""What stands where in a line, as `notation` names it."""
PHRASES = {
    "syntax/preset": N_("Unknown rules: “%(token)s”. Known: %(known)s."),
    "syntax/option": N_("Unknown option: “%(token)s”. Known: %(known)s."),
    "syntax/option-value": N_("Unknown value in %(token)s. It may be: %(known)s."),
    "syntax/option-twice": N_("Option given twice: “%(token)s”."),
    "syntax/packets": N_("Packets are dealt with two players only (§3): “%(token)s”."),
    "syntax/short": N_("Something is missing. The form is: %(form)s."),
    "syntax/surplus": N_("One word too many: “%(token)s”."),
    "syntax/colon": N_("There must be “:” between the deal and the actions."),
    "syntax/seat": N_("Unknown seat: “%(token)s”. Seats are a, b, c, d."),
    "syntax/card": N_("Not a card: “%(token)s”."),
    "card/unknown": N_("“%(token)s” is no card. Write it as on the card, such as queen of hearts, or Q♥."),
    "card/outside": N_(
        "“%(token)s” is not in this pack of thirty-two cards, which goes from the seven to the ace."
    ),
    "card/open": N_(
        "“%(token)s” leaves the choice between %(cards)s. Write the whole card, such as queen of hearts."
    ),
    "syntax/hand": N_("Not a hand: “%(token)s”. A hand has four suits, ♠.♥.♦.♣."),
    "syntax/rank": N_("Unknown rank in a hand: “%(token)s”. Ranks are A T K Q J 9 8 7."),
    "syntax/unknown": N_("Unknown cards badly written: “%(token)s”. Five unknown cards are ?5."),
    "syntax/declaration": N_("Not a declaration: “%(token)s”. For instance 20d, 50, chs."),
    "syntax/action": N_("Not an action: “%(token)s”. For instance Qd, Qd+20d, 7x."),
    "syntax/trump": N_("Not a trump: “%(token)s”. A turned card, s, h, d, c, or -."),
    "syntax/tag": N_('Tag badly written. It reads [Name "value"].'),
    "syntax/tag-twice": N_("Tag given twice: “%(token)s”."),
    "syntax/tag-missing": N_("The tag %(tag)s is missing."),
    "syntax/comment": N_("Comment opened and never closed."),
    "syntax/brace": N_("Brace closed without being opened."),
    "syntax/variation": N_("Variation opened and never closed."),
    "syntax/parenthesis": N_("Parenthesis closed without being opened."),
    "syntax/variation-first": N_("A variation stands for an action: there is none yet."),
    "syntax/nested": N_("Too many variations within variations."),
    "syntax/one-record": N_("There must be one partie; there are %(count)s."),
    "syntax/glyph": N_("Not a glyph: “%(token)s”."),
    "syntax/result": N_("Not a result: “%(token)s”. For instance 1-0, 0-0, *."),
    "syntax/points": N_("Not points: “%(token)s”. For instance 196-44."),
    "syntax/termination": N_(
        "Not a termination: “%(token)s”. It is concede, forfeit or fault and a seat, or misdeal."
    ),
    "syntax/stray": N_("Neither a partie line nor the start of a record: “%(token)s”."),
    "syntax/too-long": N_("Too long: a line, or a record, has %(most)s characters at most."),
    "syntax/encoding": N_("%(file)s is not a UTF-8 text."),
    "syntax/bytes": N_("Not a letter of UTF-8: “%(token)s”. Save the file as UTF-8."),
    "reading/to-seat": N_("Seat %(seat)s: %(why)s"),
    "folder/no-home": N_("no home folder is known: name another folder or file by %(setting)s."),
    "folder/refused": N_("the folder %(folder)s cannot be made: name another folder or file by %(setting)s."),
    "file/no-name": N_("a name is missing: an empty text names no file."),
    "file/no-partie": N_("There is no partie in %(file)s."),
    "file/no-folder": N_("there is no folder %(folder)s."),
    "file/make-folder": N_("There is no folder %(folder)s: make it first, or name another."),
    "file/not-a-file": N_("%(file)s is a device or a pipe, not a file."),
    "file/twice": N_("%(file)s is named for two results: each needs a file of its own."),
    "file/not-a-folder": N_("%(file)s is a file, not a folder."),
    "deal/seats": N_("These rules are for %(seats)s seats, §3."),
    "deal/seat": N_("There is no such seat at the table of these rules, §3."),
    "deal/hand-size": N_("A hand has too many or too few cards: here it must have %(hand)s, §3."),
    "deal/turnup": N_("There must be a turnup, §3; in Mondoubleau there is none, §17."),
    "deal/talon-size": N_(
        "The talon has too many or too few cards face down: here it must have %(talon)s, §3."
    ),
    "deal/card-twice": N_("A card is there twice, §1: “%(token)s”."),
    "deal/unknown": N_("Every card must be known here: “%(token)s”."),
    "deal/own-cards": N_("The seat's own cards must be known: “%(token)s”."),
    "deal/table": N_("Too many cards on the table, §5."),
    "deal/taken": N_("The cards taken are not whole tricks, §5."),
    "deal/trump": N_("There must be a trump suit, §3."),
    "deal/said": N_("There is no such declaration with this many players, §9: “%(token)s”."),
    "checksum/result": N_("The result written is %(token)s, but the partie gives %(found)s."),
    "checksum/points": N_("The points written are %(token)s, but the partie gives %(found)s."),
    "checksum/termination": N_("The partie was played out: %(token)s cannot have ended it."),
    # What is said aloud with a card (§9.5)
    "said/mariage": N_("I have a twenty of %(suit)s"),
    "said/tierce": N_("I have a thirty of %(suit)s"),
    "said/quarteron": N_("I have a forty of %(suit)s"),
    "said/quinte": N_("I have a fifty"),
    "said/trente": N_("I have a thirty"),
    "said/chouine": N_("Chouine of %(suit)s"),
    # The same by name
    "declaration/mariage": N_("twenty of %(suit)s"),
    "declaration/tierce": N_("thirty of %(suit)s"),
    "declaration/quarteron": N_("forty of %(suit)s"),
    "declaration/quinte": N_("fifty"),
    "declaration/trente": N_("thirty"),
    "declaration/chouine": N_("chouine of %(suit)s"),
    # The same in a sentence, with its article
    "announced/mariage": N_("a twenty of %(suit)s"),
    "announced/tierce": N_("a thirty of %(suit)s"),
    "announced/quarteron": N_("a forty of %(suit)s"),
    "announced/quinte": N_("a fifty"),
    "announced/trente": N_("a thirty"),
    "announced/chouine": N_("a chouine of %(suit)s"),
    # A partie drawn for people
    "show/deals": N_("%(seat)s deals"),
    "show/to-act": N_("%(seat)s to act"),
    "show/turnup": N_("turnup %(card)s"),
    "show/trump": N_("trumps %(suit)s %(symbol)s"),
    "show/no-trump": N_("no trumps"),
    "show/talon": N_("talon"),
    "show/table": N_("on the table"),
    "show/taken": N_("taken"),
    "show/exchanges": N_("%(seat)s takes %(card)s for the seven"),
    "show/au-sept": N_("%(seat)s says “au sept”"),
    "show/declares": N_("“%(said)s”"),
    "show/shows": N_("%(seat)s shows %(cards)s"),
    "show/takes": N_("→ %(seat)s takes %(points)s"),
    "show/draws": N_("%(seat)s draws %(card)s"),
    "show/won": N_("%(seat)s wins %(points)s"),
    "show/chouine": N_("%(seat)s wins by the chouine (%(points)s)"),
    "show/nulle": N_("Nulle, %(points)s"),
    "show/unfinished": N_("In progress, %(points)s"),
    "show/misdeal": N_("Misdeal, §4"),
    "show/concede": N_("Partie conceded, §16, %(points)s"),
    "show/forfeit": N_("Partie forfeited, §16, %(points)s"),
    "show/empty": N_("There is no partie and no position in %(file)s: nothing to draw."),
    "show/still": N_(
        "%(file)s has a position, in which nothing moves: --animate draws a partie, --svg a position."
    ),
    "show/several": N_(
        "%(file)s has more than one partie or position, and a picture shows one: give the one to draw as a line "
        "in quotes, or in a file of its own."
    ),
    "show/fault": N_("Partie lost by faults, §15, %(points)s"),
    # Checking a deal against the digest shown before its cut (§2)
    "verify/good": N_(
        "All agrees. If this digest is the one the table showed before the cut, nothing has moved since."
    ),
    "verify/good-drawing": N_(
        "All agrees. If this digest is the one the table showed while cards were drawn, the pack has not moved since."
    ),
    "verify/digest": N_(
        "The pack and the nonce do not give this digest: it is not the pack announced before the cut."
    ),
    "verify/pack": N_("This is not a pack of thirty-two different cards, §1."),
    "verify/void-cut": N_("The cut is void: each packet must have at least four cards, §2."),
    "verify/deal": N_("Cut and dealt by the rules, this pack does not give this deal, §3."),
    "verify/missing": N_("Missing for the check: %(names)s."),
    "verify/letters": N_("There is a character in %(name)s that cannot be written."),
    "verify/nested": N_("This text has too many brackets within brackets to be a table's JSON."),
    "verify/cut-number": N_("The cut is a number of cards; this is not one: %(token)s."),
    "verify/nothing": N_("No partie to check here: the tags Pack, Nonce, Cut and Digest are needed."),
    # Errors of batches of parties
    "batch/numpy": N_("Batches of parties need numpy: pip install 'chouine[fast]'."),
    "batch/shape": N_(
        "One integer action for each of the %(count)s parties; got %(dtype)s of shape %(shape)s."
    ),
    "batch/arrays": N_("Arrays of %(cells)s and %(talons)s are not positions and their talons."),
    "batch/illegal": N_("Row %(row)s: action %(action)s is not legal there (%(why)s)."),
    "batch/deal": N_("Row %(row)s: a deal that cannot be (%(reasons)s)."),
    # Why a file of records cannot be brought to a server: the codes `import/…`
    "import/place": N_("Line %(line)s, column %(column)s: %(why)s"),
    "import/too-long": N_("The file is too long: %(most)s KB at most. Bring it in several pieces."),
    "import/empty": N_("There is no partie in it. Choose a file that ends in .cgn, or paste its text."),
    "import/too-many": N_("Too many parties: %(most)s at a time at most. Import the file in several pieces."),
    "import/hidden": N_(
        "Partie %(number)s of the file: some cards are not known. Only what is known whole can be shown."
    ),
    "import/not-over": N_("Partie %(number)s of the file is not finished."),
    "import/full": N_(
        "You have imported %(most)s files already, and there is no room for more. Erase some below first."
    ),
    # Why a match played offline is refused: the codes `carry/…`
    "carry/unreadable": N_("This is no match that was kept without a network."),
    "carry/too-long": N_("This match is too long to be brought here: %(most)s KB at most."),
    "carry/repeats": N_(
        "This match repeats itself more than a match that was played: unpacked, it is over %(times)s times as long."
    ),
    "carry/one-device": N_("This match was not set as a device without a network sets it."),
    "carry/time": N_("The times of this match do not follow one another: is the device's clock right?"),
    "carry/not-so": N_("Entry %(number)s of this match is not what the rules and the table allow."),
    "carry/not-over": N_("This match is not over: play it to its end first, on the device where it is."),
    "carry/no-such-day": N_(
        "Only past deals of the day whose cards are public can be played without a network; this is none of them."
    ),
    "carry/not-answered": N_(
        "This partie of a past day does not count: its opponent does not answer so here. Either the copy on this device"
        " is older than this server, or what it sent was altered."
    ),
    "carry/no-opponent": N_(
        "This server cannot check deals of the day now. Keep the match on this device, and bring it later."
    ),
}
