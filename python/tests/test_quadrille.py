"""The package against brute force, and against what the program promises."""

import itertools
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
import quadrille

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures"


def brute_force(primary, options):
    """Sets of options that cover each primary item once, with colors that agree."""
    kept = [o for o in options if any(name in primary for name, _ in o)]
    for size in range(len(kept) + 1):
        for chosen in itertools.combinations(range(len(kept)), size):
            uses = [use for number in chosen for use in kept[number]]
            covered = sorted(name for name, _ in uses if name in primary)
            if covered != sorted(primary):
                continue
            colors = {}
            if all(
                name in primary
                or (name not in colors and colors.setdefault(name, (color, number)))
                or (color is not None and colors[name][0] == color)
                for number, (name, color) in enumerate(uses)
            ):
                yield [number + 1 for number in chosen]


def random_problem(seed):
    dice = random.Random(seed)
    primary = [f"p{i}" for i in range(dice.randint(1, 4))]
    secondary = [f"s{i}" for i in range(dice.randint(0, 3))]
    options = []
    for _ in range(dice.randint(1, 9)):
        items = dice.sample(primary + secondary, dice.randint(1, min(4, len(primary + secondary))))
        if not any(name in primary for name in items):
            items[0] = dice.choice(primary)
        color = lambda name: None if name in primary else dice.choice([None, "a", "b"])
        options.append([(name, color(name)) for name in items])
    return primary, secondary, options


def spelled(option):
    return [name if color is None else (name, color) for name, color in option]


@pytest.mark.parametrize("seed", range(300))
def test_random_problems(seed):
    primary, secondary, options = random_problem(seed)
    problem = quadrille.Problem(primary, map(spelled, options), secondary=secondary)
    expected = sorted(brute_force(primary, options))
    for engine in ["auto", "links", "learn"]:
        assert sorted(s.numbers for s in problem.solve(engine=engine)) == expected
        assert problem.count(engine=engine) == len(expected)
    assert problem.unique() == (len(expected) == 1)
    assert len(list(problem.solve(limit=2))) == min(2, len(expected))
    again = quadrille.Problem.parse(problem.dlx())
    assert sorted(s.numbers for s in again.solve()) == expected
    facts = problem.facts(options=True)
    assert facts.solvable == bool(expected)
    if expected:
        everywhere = set.intersection(*map(set, expected))
        assert facts.always == sorted(everywhere)
        assert facts.never == sorted(set(range(1, len(problem) + 1)) - set().union(*expected))


def test_a_solution_has_names_colors_and_a_cost():
    problem = quadrille.Problem("A B", ["A x:red", "B x:red y"], secondary="x y", costs=[3, 4])
    (solution,) = problem.solve()
    assert solution.options == [[("A", None), ("x", "red")], [("B", None), ("x", "red"), ("y", None)]]
    assert solution.colors == {"x": "red"}
    assert (solution.cost, len(solution), str(solution)) == (7, 2, "A x:red\nB x:red y")
    assert problem.cheapest() == [solution]
    assert (problem.primary, problem.secondary, len(problem)) == (["A", "B"], ["x", "y"], 2)
    assert quadrille.Problem("A B | x y", ["A x:red", "B x:red y"]).secondary == ["x", "y"]
    bounded = quadrille.Problem([("A", 0, 2), "B"], ["A", "A", "B"])
    assert bounded.count() == 4


def test_counts_of_any_size():
    # Each of 200 items has two options.
    items = [f"i{n}" for n in range(200)]
    problem = quadrille.Problem(items, [[name] for name in items for _ in range(2)])
    assert problem.count() == 2**200


def test_loops():
    # OEIS A140517: cycles in the graph of 3 x 3 cells.
    blank = quadrille.Puzzle("slitherlink", "...\n...\n...\n")
    assert blank.problem.count(loop=True) == blank.count() == 213
    assert len(set(blank.problem.solve(loop=True))) == 213
    with pytest.raises(quadrille.QueryError, match="--loop"):
        quadrille.Problem("A", ["A 01:1"], secondary="01").count(loop=True)


def test_puzzles():
    board = quadrille.Puzzle("slitherlink", "22\n22\n")
    solution = board.solution()
    assert board.unique() and board.kind == "slitherlink"
    assert board.facts().colors == solution.colors
    assert board.svg(solution).startswith("<svg") and board._repr_svg_() == board.svg(solution)
    assert "┌" in board.text(solution) and "┌" not in board.text()
    several = quadrille.Puzzle("https://puzz.link/p?slither/2/2/j")
    assert not several.unique() and several.solution() is None
    assert quadrille.Problem.parse(board.dlx()).count(loop=True) == 1
    assert "hitori" in dict(quadrille.Puzzle.kinds())


def test_errors_have_a_place():
    with pytest.raises(quadrille.ParseError) as error:
        quadrille.Problem.parse("A B\nA C\n")
    assert (error.value.line, error.value.column) == (2, 3)
    with pytest.raises(quadrille.ParseError) as error:
        quadrille.Puzzle("slitherlink", "3\nx\n")
    assert (error.value.line, error.value.column) == (2, 1)
    with pytest.raises(quadrille.ParseError, match="slitherlink"):
        quadrille.Puzzle("slitherlnk", "3\n")
    for items, options in [("", []), ("A A", []), ("A", ["B"]), ("A", ["A A"]), (["a b"], []), ("A", [""])]:
        with pytest.raises(ValueError):
            quadrille.Problem(items, options)
    for wrong in [5, [5], [("A", 2, 1)], [("A", -1, 1)]]:
        with pytest.raises((TypeError, ValueError, OverflowError)):
            quadrille.Problem(wrong, [])
    with pytest.raises(ValueError, match="engine"):
        quadrille.Problem("A", ["A"]).count(engine="fast")
    with pytest.raises(ValueError, match="costs"):
        quadrille.Problem("A", ["A"], costs=[1, 2])


# A shell may start programs in the background that ignore Ctrl-C.
HEED = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


def large():
    return quadrille.Puzzle("slitherlink", ("." * 24 + "\n") * 24)


def test_the_lock_is_free_during_a_search():
    """Another thread runs while this one waits for a search that never ends."""
    ticks = []

    def tick():
        for _ in range(20):
            time.sleep(0.005)
            ticks.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        large().count()
    thread.join()
    assert len(ticks) == 20


@pytest.mark.parametrize("call", ["puzzle.count()", "list(puzzle.solve())", "puzzle.problem.count(loop=True, engine='links')", "puzzle.problem.cheapest(10**9)"])
def test_ctrl_c_ends_a_search(call):
    code = HEED + f'import quadrille\npuzzle = quadrille.Puzzle("slitherlink", ("." * 24 + "\\n") * 24)\nprint(1, flush=True)\n{call}'
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors


def test_an_iterator_can_be_left():
    for _ in range(20):
        solutions = large().solve()
        next(solutions)
        del solutions


def test_the_first_examples():
    for path in sorted((FIXTURES / "dlx" / "ok").glob("*.dlx")):
        problem = quadrille.Problem.parse(path.read_bytes())
        count = problem.count()
        if count < 1000:
            assert len(list(problem.solve())) == count, path
