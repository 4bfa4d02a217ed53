"""The project's modules and who imports whom, with what no import statement shows."""

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import grimp

from daskfleet.verbs import VERBS
from tests.changed.verbs import packages_of_verbs
from tests.project import PROJECT_DIR

_PROCESS = "process:"
COMMAND_LINE = f"{_PROCESS}daskfleet"
"""Stands for the command line as a process: a test that starts one verb is not one of all."""
STARTED_BY: Mapping[str, tuple[str, ...]] = {
    "rehearsal.engine.engine": (
        "__main__",
        "rehearsal.providers.gcp.__main__",
        "rehearsal.providers.kubernetes.__main__",
        "rehearsal.providers.random.__main__",
        "rehearsal.providers.tls.__main__",
    ),
    "rehearsal.supervisor.launch": ("rehearsal.supervisor.__main__",),
    "daskfleet.team.verify.collect.probe_program": ("in_cluster.dask_probe.main",),
    "daskfleet.cli": tuple(verb.module for verb in VERBS.values()),
}
"""The modules that others start as processes, or load when they are asked for."""
HALLS = ("daskfleet", "daskfleet.team", "daskfleet.platform")
"""The packages that only hold others; a change is of one of those."""
_PAGES = re.compile(r'([\w-]+\.md)"')
_STARTS = re.compile(r"\bsubprocess\b|create_subprocess|\btyped\(|\bpulumi import automation\b")


class Code:
    """Modules by name; a test file is a module whose last name begins with ``test_``."""

    def __init__(self, root: Path = PROJECT_DIR) -> None:
        self._root = root
        self._texts: dict[str, str] = {}
        packages = sorted(file.parent.name for file in root.glob("*/__init__.py"))
        self._graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
        self.modules: dict[str, str] = {
            module: path for module in self._graph.modules if (path := self._path(module))
        }
        for file in root.glob("*.py"):
            self._add_root_module(file)
        self._graph.add_module(COMMAND_LINE)
        for importer, started in STARTED_BY.items():
            self._add(importer, started)
        for module in self.naming("__main__.py") & self.within("tests"):
            self._add(module, ["__main__"])  # the program, run by its file
        self.tests: frozenset[str] = frozenset(
            path for path in self.modules.values() if Path(path).name.startswith("test_")
        )
        self._add_conftests()
        self._add_processes()

    def tests_of(self, modules: Iterable[str]) -> set[str]:
        """Give the test files that use any of these modules, at whatever distance."""
        affected: set[str] = set()
        for module in modules:
            affected |= {module, *self._graph.find_downstream_modules(module)}
        return {path for module in affected if (path := self.modules.get(module)) in self.tests}

    def within(self, package: str) -> set[str]:
        """Give a package and all that is in it; nothing where it is none."""
        if package not in self.modules:
            return set()
        return {package, *self._graph.find_descendants(package)} & self.modules.keys()

    def naming(self, name: str) -> set[str]:
        """Give the modules whose text has the name of a file, or its path, as a word."""
        spelled = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
        return {module for module, path in self.modules.items() if spelled.search(self.text(path))}

    def text(self, path: str) -> str:
        """Read a file once."""
        if path not in self._texts:
            self._texts[path] = (self._root / path).read_text("utf-8")
        return self._texts[path]

    def _path(self, module: str) -> str | None:
        path = module.replace(".", "/")
        found = (f"{path}.py", f"{path}/__init__.py")
        return next((each for each in found if (self._root / each).is_file()), None)

    def _add_root_module(self, file: Path) -> None:
        self._graph.add_module(file.stem, is_squashed=True)  # as grimp takes what is outside
        self.modules[file.stem] = file.name
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                self._add(file.stem, [each.name for each in node.names])
            elif isinstance(node, ast.ImportFrom) and node.module:
                submodules = [f"{node.module}.{each.name}" for each in node.names]
                self._add(file.stem, [node.module, *submodules])

    def _add_conftests(self) -> None:
        """Let every test use the fixtures of the folders that it lies in."""
        rooms = {
            module.removesuffix(".conftest")
            for module in self.modules
            if module.endswith(".conftest")
        }
        for room in rooms:
            for module in self.within(room):
                if self.modules[module] in self.tests:
                    self._add(module, [f"{room}.conftest"])

    def _add_processes(self) -> None:
        """Let what starts processes use every package that it names."""
        verbs = packages_of_verbs()
        parts = {
            module: self._graph.find_modules_directly_imported_by(module) & self.modules.keys()
            for module in self.within("tests")
        }
        products = self._rooms()
        texts = {module: self._read_by(module) for module in parts}
        starts = {module for module in parts if _STARTS.search(texts[module])}
        named = {module: packages_named(texts[module], products, verbs) for module in parts}
        for package in products:
            self._graph.add_module(_all_of(package))
            self._add(_all_of(package), self.within(package))
        for module in parts:
            used = _reachable(module, parts)
            if used & starts:
                packages = {package for each in used for package in named[each]}
                self._add(module, [COMMAND_LINE, *map(_all_of, packages)])

    def _rooms(self) -> set[str]:
        """Give the packages of the product that a test may name."""
        found = {path.removesuffix("/__init__.py").replace("/", ".") for path in self._inits()}
        return {
            name
            for name in found - {*HALLS, "tests"}
            if "." not in name or name.rpartition(".")[0] in HALLS
        }

    def _inits(self) -> list[str]:
        return [path for path in self.modules.values() if path.endswith("/__init__.py")]

    def _read_by(self, module: str) -> str:
        """Give a module's text, and the pages that it names: what they tell to type, it types."""
        text = self.text(self.modules[module])
        names = set(_PAGES.findall(text))
        return "\n".join([text, *(page.read_text("utf-8") for page in self._pages(names))])

    def _pages(self, names: Collection[str]) -> list[Path]:
        return [page for page in self._root.glob("docs/*.md") if page.name in names]

    def _add(self, importer: str, imported: Iterable[str]) -> None:
        for module in imported:
            is_known = module in self.modules or module.startswith(_PROCESS)
            if is_known and module != importer:
                self._graph.add_import(importer=importer, imported=module)


def _all_of(package: str) -> str:
    """Name what stands for a package that is run as a process, whichever of its modules that is."""
    return f"{_PROCESS}{package}"


def _reachable(module: str, parts: Mapping[str, Collection[str]]) -> set[str]:
    """Give a module and all that it is made of, of those whose parts are known."""
    found, left = {module}, [module]
    while left:
        new = {each for each in parts[left.pop()] if each in parts} - found
        found |= new
        left += new
    return found


def packages_named(text: str, packages: Iterable[str], verbs: Mapping[str, str]) -> set[str]:
    """Give the packages that a text names as a path, a module or a verb of the command line."""
    named = {package for package in packages if _spelled(package).search(text)}
    spoken = re.findall(r"""daskfleet["', ]+([a-z-]+)|["']([a-z-]+)["']""", text)
    return named | {verbs[word] for words in spoken for word in words if word in verbs}


def _spelled(package: str) -> re.Pattern[str]:
    path = re.escape(package.replace(".", "/"))
    name = re.escape(package)
    return re.compile(rf"""["'/ `]{path}/|["']{name}["']|-m["', ]+{name}\b""")
