"""Review a finished partie: what each mistake cost, why, and how much of the result was luck.

Acts are judged by what the seat could know then. `chouine analyse` and the review page both use this.

choices = decisions(state, actions)
found = [judge(choice) for choice in choices]     # each by itself, in any order
accounts(played, result, found)                   # fair share + mistakes + others' mistakes + luck = result
"""

from chouine.school.review.accounts import Account, accounts, accounts_of
from chouine.school.review.annotations import annotate, reason_sentence
from chouine.school.review.decisions import (
    WORLDS,
    Decision,
    Judgement,
    Review,
    after_advice,
    all_decisions,
    decisions,
    first_looks,
    judge,
    mistakes_of,
    moments,
    state_before,
)

__all__ = [
    "WORLDS",
    "Account",
    "Decision",
    "Judgement",
    "Review",
    "accounts",
    "accounts_of",
    "after_advice",
    "all_decisions",
    "annotate",
    "decisions",
    "first_looks",
    "judge",
    "mistakes_of",
    "moments",
    "reason_sentence",
    "state_before",
]
