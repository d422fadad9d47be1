# Copyright 2026 The Chouine authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Lint as python3
"""La Chouine, a trick-taking game of the Loir valley (France).

32 cards, two to four players, free play while the talon lasts, then strict
obligations, with declarations and an exchange of the seven of trumps. The rules
are those of the package `chouine` (`pip install "chouine[research]"`), which
registers two games when it is imported:

  * `chouine`, with the parameters `preset` (classic, mondoubleau, three, four,
    ...), every option of the rules by its name, and `ranks`, `suits` and `hand`
    for a smaller pack;
  * `chouine_petite`, six cards, whose whole tree can be walked.

Chance deals cards one by one as they become known, so information states have
perfect recall; `resample_from_infostate` is provided.
"""

from chouine.envs import spiel

ChouineGame = spiel.ChouineGame
ChouineState = spiel.ChouineState
