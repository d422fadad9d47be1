"""An import-linter contract that allows only the standard library.

A list of forbidden packages would miss packages installed later.
"""

import sys
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class StandardLibraryOnly(Contract):
    """The named children of the root package, with all submodules, import no installed package.

    A child that does not exist passes.
    """

    type_name = "standard_library_only"

    packages: Any = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001 (import-linter's signature)
        roots = set(self.session_options["root_packages"])
        allowed = roots | set(sys.stdlib_module_names)
        bound = {f"{root}.{package}" for root in roots for package in self.packages}
        broken = sorted(
            f"{importer} -> {imported}"
            for importer in graph.modules
            if ".".join(importer.split(".")[:2]) in bound
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported.split(".")[0] not in allowed
        )
        output.verbose_print(verbose, f"{len(broken)} imports of what is not in the standard library.")
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["broken"]:
            output.print_error(line, bold=False)
