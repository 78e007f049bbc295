"""Exact cover with colors in Donald Knuth's .dlx format: solve, count, and prove unique.

    >>> import quadrille
    >>> problem = quadrille.Problem("A B C D E F G", ["C E", "A D G", "B C F", "A D F", "B G", "D E G"])
    >>> problem.count()
    1
    >>> [solution.numbers for solution in problem.solve()]
    [[1, 4, 5]]
"""

from ._quadrille import (
    Facts,
    ParseError,
    Problem,
    Puzzle,
    QueryError,
    Solution,
    Solutions,
    __version__,
)

__all__ = [
    "Facts",
    "ParseError",
    "Problem",
    "Puzzle",
    "QueryError",
    "Solution",
    "Solutions",
    "__version__",
]
