"""Errors of batches of parties."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "batch/numpy": N_("Batches of parties need numpy: pip install 'chouine[fast]'."),
    "batch/shape": N_(
        "One integer action for each of the %(count)s parties; got %(dtype)s of shape %(shape)s."
    ),
    "batch/arrays": N_("Arrays of %(cells)s and %(talons)s are not positions and their talons."),
    "batch/illegal": N_("Row %(row)s: action %(action)s is not legal there (%(why)s)."),
    "batch/deal": N_("Row %(row)s: a deal that cannot be (%(reasons)s)."),
}
