"""A member's card: twelve words, or a short secret in a QR code, which mean the same 88 random bits.

A twelfth word checks the other eleven, so that a slip is told from a wrong card. Only a digest is stored. It is not
stretched: at 2^88 nobody tries them all, here or with the digest in hand.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from unicodedata import normalize

from chouine.phrases import Language

FRENCH = """
abeille abricot accordéon agneau aiguille ailleurs alouette amande ananas ancre ange argile armoire
artichaut asperge atelier automne avion bagage balai bambou barque bassin beurre biche billet blaireau bleu
bois bonbon bougie bouquet branche bretelle brioche brouette buisson buvette cabane cahier caillou canard
capuche carotte cave cerise chemin chien cigale clairon cloche coffre colline comptoir corbeau costume
crayon crevette cuisine dauphin dentelle digue dimanche dindon dragon drap eau échelle écluse écureuil
édredon encre enfant épaule épice escargot étable étang facteur falaise farine fauteuil ferme ficelle fleuve
flûte fontaine fougère four framboise fromage fumée galet garage genou girafe givre gland gomme grange
grelot grenier haie hamac haricot herbe hibou hiver horloge huître île image ivoire jambon jardin jeudi joli
jouet journal juillet kayak kiosque lac laine lampe lapin lavande légume lessive lettre lézard liane lièvre
lilas limace lion loir lourd lune lutin machine magasin manteau marche marguerite melon menthe mercredi
mésange meuble minute miroir moineau moulin mouton murmure musique myrtille navet neige nid noisette nombre
nougat nuage œuf oignon oiseau ombre oncle ordre oreille orge ortie osier ours outil paille panier papier
patin pavé pêche pelote perle persil piano pierre pinceau pirogue plage poire poisson pont porte potage
prairie prune pupitre quai quille raisin rameau récolte règle renard rideau rivière rocher rond rosée ruban
ruche sabot sable salade sapin saule seigle semaine sentier siège sirop soleil soupe souris sucre tabac
tableau tartine tasse tente terrasse théière timbre tiroir tonneau torrent tortue train trèfle troupeau
truite tuile usine vache vallée vanille vélo verger veste violon voile voisin voyage wagon
"""
ENGLISH = """
abbey acorn actor agate album almond amber anchor animal apple apricot arch arrow artist atlas autumn avenue
badger bakery balloon banana barley barn beach bench berry birch blanket blossom boat border bottle bread
brick bridge brush budget bugle cabin cactus camel canoe captain carrot cattle cereal chair cherry chimney
cinder citrus clover coach coffee compass copper corner cousin cradle crocus cuckoo cupboard cushion
daffodil daisy dawn december deer diamond dolphin donkey dragon dream drift duckling eagle early easel
eggshell elbow elephant ember engine fabric family farmer fence ferry fiddle finch fishing flag flute forest
fossil fox friday frost funnel galaxy garden gate ginger giraffe glove golden goose green guitar gull
hamster harvest hazel hedge heron hill honey horse hotel humble iceberg indigo insect ivory jacket january
jelly jewel jolly jungle juniper kingdom kite kitten koala lagoon lake lantern lark lasso lavender leaf
lemon library lily linen lizard locket lotus lynx magpie mango marble meadow melody midnight mint mirror
monday morning moss mountain mule museum napkin nectar needle nettle noodle north nugget oak oasis ocean
olive onion orchard oven owl paddle pancake panda parade parrot pasture peach pebble pelican pepper picnic
pigeon pine plum pocket pony porch potato prairie pumpkin puppet puzzle quilt rabbit rain ribbon ridge river
rocket roof rose rudder saddle salad sandal saturn scarf season shadow shovel singer sister sleigh snail
soap sofa spoon spring stable stone summer swallow table tailor teapot tent thimble thunder timber toast
topaz tractor train tunnel turtle umbrella valley velvet village violin walnut water wheat window winter
wood yellow
"""
WORDS: dict[Language, list[str]] = {"fr": FRENCH.split(), "en": ENGLISH.split()}
"""256 in each language, chosen for this game. Four letters tell a word from the others, and accents tell none from
another, so that they can be typed on any keyboard. The order stays: printed cards mean the places of their words."""
TOLD_BY = 4
"""Letters by which a word is recognised: a slip further on does no harm."""


RANDOM = 11
"""Random bytes of a card, a word each."""
WRITTEN = re.compile(r"[A-Za-z0-9_-]{15}")
"""How a card's secret is written in an address."""
LONGEST = 400
"""Most characters that are read as words."""


def without_accents(text: str) -> str:
    """A text in small letters without accents."""
    apart = normalize("NFKD", text.lower().replace("œ", "oe"))
    return "".join(sign for sign in apart if not "\u0300" <= sign <= "\u036f")


PLACES = {
    language: {without_accents(word)[:TOLD_BY]: place for place, word in enumerate(words)}
    for language, words in WORDS.items()
}


def new_secret() -> bytes:
    """The secret of a new card."""
    return secrets.token_bytes(RANDOM)


def words_of(secret: bytes, language: Language) -> list[str]:
    """The twelve words of a card."""
    return [WORDS[language][each] for each in (*secret, check_of(secret))]


def check_of(secret: bytes) -> int:
    """The place of the word that checks the others."""
    return hashlib.sha256(b"check " + secret).digest()[0]


def secret_in(text: str) -> bytes | None:
    """The secret in words as somebody types them, in either language; None if a word is wrong.

    Accents, capitals, numbers and whatever else stands between the words do not matter.
    """
    typed = re.findall(r"[a-z]+", without_accents(text[:LONGEST]))
    for places in PLACES.values():
        found = [places.get(word[:TOLD_BY]) for word in typed]
        if len(found) == RANDOM + 1 and None not in found:
            *secret, check = bytes(place for place in found if place is not None)
            if check_of(bytes(secret)) == check:
                return bytes(secret)
    return None


def text_of(secret: bytes) -> str:
    """A secret as it stands in the address of a card's QR code."""
    return urlsafe_b64encode(secret).decode().rstrip("=")


def secret_written(text: str) -> bytes | None:
    """The secret in such an address; None if there is none."""
    return urlsafe_b64decode(f"{text}=") if WRITTEN.fullmatch(text) else None


def digest_of(secret: bytes) -> str:
    """The digest under which a card is stored."""
    return hashlib.sha256(b"card " + secret).hexdigest()
