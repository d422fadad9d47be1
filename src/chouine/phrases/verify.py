"""Checking a deal against the digest shown before its cut (§2)."""

PHRASES = {
    "verify/good": (
        "Tout concorde. Si cette empreinte est celle que la table montrait avant la coupe, rien n'a bougé depuis.",
        "All agrees. If this digest is the one the table showed before the cut, nothing has moved since.",
    ),
    "verify/digest": (
        "Le jeu et le nonce ne donnent pas cette empreinte : ce n'est pas le jeu annoncé avant la coupe.",
        "The pack and the nonce do not give this digest: it is not the pack announced before the cut.",
    ),
    "verify/pack": (
        "Ce n'est pas un jeu de trente-deux cartes, toutes différentes, §1.",
        "This is not a pack of thirty-two different cards, §1.",
    ),
    "verify/void-cut": (
        "La coupe est nulle : il faut au moins quatre cartes dans chaque paquet, §2.",
        "The cut is void: each packet must have at least four cards, §2.",
    ),
    "verify/deal": (
        "Coupé et donné selon les règles, ce jeu ne donne pas cette donne, §3.",
        "Cut and dealt by the rules, this pack does not give this deal, §3.",
    ),
    "verify/missing": (
        "Il manque pour vérifier : {names}.",
        "Missing for the check: {names}.",
    ),
    "verify/cut-number": (
        "La coupe est un nombre de cartes ; ceci n'en est pas un : {token}.",
        "The cut is a number of cards; this is not one: {token}.",
    ),
    "verify/nothing": (
        "Aucune partie à vérifier ici : il faut les étiquettes Pack, Nonce, Cut et Digest.",
        "No partie to check here: the tags Pack, Nonce, Cut and Digest are needed.",
    ),
}
