from typing import Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

__version__: str

Colors = Union[str, Sequence[str]]
Item = Union[str, Tuple[str, int, int]]
Entry = Union[str, Tuple[str, str]]

class ParseError(ValueError):
    """A text is no problem, or no board. `line` and `column` say where, in bytes from 1."""

    line: Optional[int]
    column: Optional[int]

class QueryError(ValueError):
    """What is asked does not go together, or does not fit the names of the problem."""

class Solution:
    """Options that cover a problem."""

    @property
    def numbers(self) -> List[int]:
        """The numbers of the options, from 1, ascending."""
    @property
    def options(self) -> List[List[Tuple[str, Optional[str]]]]:
        """The options: lists of names, each with its color or None."""
    @property
    def colors(self) -> Dict[str, str]:
        """The colors of items by name."""
    @property
    def cost(self) -> int:
        """The sum of the costs of the options."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Solutions(Iterator[Solution]):
    """An iterator over solutions, as they are found."""

    def __iter__(self) -> Solutions: ...
    def __next__(self) -> Solution: ...

class Facts:
    """What all solutions have in common."""

    solvable: bool
    """Whether there is a solution; without one, the rest is empty."""
    colors: Dict[str, str]
    """The items that have the same color in all solutions, with the color."""
    uncolored: List[str]
    """The items that no solution colors."""
    open: List[str]
    """The items of which solutions disagree."""
    always: List[int]
    """The numbers of the options that are in all solutions."""
    never: List[int]
    """The numbers of the options that are in none."""

class Problem:
    """An exact cover problem with colors."""

    def __init__(
        self,
        items: Union[str, Iterable[Item]],
        options: Iterable[Union[str, Iterable[Entry]]],
        *,
        secondary: Union[str, Iterable[str]] = (),
        costs: Optional[Iterable[int]] = None,
    ) -> None:
        """Primary items, each a name or (name, low, high), and options of names, `name:color` or (name, color).

        A string is a list of words, as in a file: `"A B C | x"` for items, `"A x:red"` for an option.
        """
    @staticmethod
    def parse(text: Union[str, bytes]) -> Problem:
        """Reads a `.dlx` text."""
    @property
    def primary(self) -> List[str]: ...
    @property
    def secondary(self) -> List[str]: ...
    def __len__(self) -> int:
        """The number of options."""
    def dlx(self) -> bytes:
        """The problem as a `.dlx` file."""
    def solve(
        self,
        *,
        loop: bool = False,
        connected: Optional[Colors] = None,
        acyclic: bool = False,
        limit: Optional[int] = None,
        engine: str = "auto",
    ) -> Solutions:
        """Iterates over the solutions, as they are found."""
    def count(
        self,
        *,
        loop: bool = False,
        connected: Optional[Colors] = None,
        acyclic: bool = False,
        engine: str = "auto",
    ) -> int:
        """How many solutions there are."""
    def unique(
        self,
        *,
        loop: bool = False,
        connected: Optional[Colors] = None,
        acyclic: bool = False,
        engine: str = "auto",
    ) -> bool:
        """Whether there is exactly one solution."""
    def cheapest(
        self,
        most: int = 1,
        *,
        loop: bool = False,
        connected: Optional[Colors] = None,
        acyclic: bool = False,
    ) -> List[Solution]:
        """The cheapest solutions, `most` at most, from the cheapest on."""
    def facts(
        self,
        *,
        options: bool = False,
        loop: bool = False,
        connected: Optional[Colors] = None,
        acyclic: bool = False,
    ) -> Facts:
        """What all solutions have in common: colors of items, or with `options` which options."""

class Puzzle:
    """A board of a kind of puzzle, in any format that the program reads; or an address that says its kind."""

    def __init__(self, kind_or_address: str, text: Union[str, bytes, None] = None) -> None: ...
    @staticmethod
    def kinds() -> List[Tuple[str, str]]:
        """The names of all kinds, each with its rule."""
    @property
    def kind(self) -> str: ...
    @property
    def problem(self) -> Problem:
        """The problem without the constraints of its rule."""
    def dlx(self) -> str:
        """The problem as a `.dlx` file."""
    def solve(self, *, limit: Optional[int] = None) -> Solutions:
        """Iterates over the solutions, as they are found."""
    def solution(self) -> Optional[Solution]:
        """The only solution; None if there is none, or more than one."""
    def unique(self) -> bool:
        """Whether there is exactly one solution."""
    def count(self) -> int:
        """How many solutions there are."""
    def facts(self) -> Facts:
        """The colors of items that all solutions have in common."""
    def svg(self, solution: Optional[Solution] = None) -> str:
        """The clues as SVG, with a solution if one is given."""
    def text(self, solution: Optional[Solution] = None) -> str:
        """The clues as text, with a solution if one is given."""
    def _repr_svg_(self) -> str: ...
