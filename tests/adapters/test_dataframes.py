"""Tables of pandas, Polars and pyarrow: their scores are those of the lists that they hold."""

import math
from collections.abc import Callable, Hashable
from contextlib import closing
from typing import Any

import pytest
from commands import python
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bleu_nb import Bleu, corpus_bleu, sentence_bleu
from bleu_nb.adapters.dataframes import count_columns, score_column, score_table
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.scoring.chunks import cut_chunks

BRING = "is not installed here: `make frameworks` brings it"
pd: Any = pytest.importorskip("pandas", reason=f"pandas {BRING}")
pl: Any = pytest.importorskip("polars", reason=f"polars {BRING}")
pa: Any = pytest.importorskip("pyarrow", reason=f"pyarrow {BRING}")
pc: Any = pytest.importorskip("pyarrow.compute", reason=f"pyarrow {BRING}")
np: Any = pytest.importorskip("numpy")

NAMES = ["out", "one", "two"]
Columns = dict[str, list[Any]]


def arrow(dtype: Callable[[], Any]) -> Callable[[Columns], Any]:
    """Makes a table of pyarrow with texts of a type."""
    return lambda columns: pa.table({
        name: pa.array(cells, dtype() if name in NAMES else pa.string())
        for name, cells in columns.items()})


def chunked(columns: Columns) -> Any:
    """A table of pyarrow in chunks of two rows, one of them empty."""
    whole = arrow(pa.large_string)(columns)
    return pa.concat_tables([whole[:2], whole[:0], whole[2:]])


def pandas_of(dtype: Callable[[], Any]) -> Callable[[Columns], Any]:
    """Makes a table of pandas with texts of a type, and with labels that repeat."""
    return lambda columns: pd.DataFrame(
        {name: pd.Series(cells, dtype=dtype()) for name, cells in columns.items()}
    ).set_axis([place // 2 for place in range(len(columns["out"]))])


MAKERS: dict[str, Callable[[Columns], Any]] = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "pandas-object": pandas_of(lambda: object),
    "pandas-string": pandas_of(lambda: "string"),
    "pandas-string-python": pandas_of(lambda: pd.StringDtype("python")),
    "pandas-string-pyarrow": pandas_of(lambda: pd.StringDtype("pyarrow")),
    "pandas-arrow": pandas_of(lambda: pd.ArrowDtype(pa.string())),
    "pandas-arrow-large": pandas_of(lambda: pd.ArrowDtype(pa.large_string())),
    "pandas-arrow-view": lambda columns: pd.DataFrame({  # pandas cannot pick rows of such a column
        name: pd.Series(cells, dtype=pd.ArrowDtype(pa.string_view()) if name in NAMES else "str")
        for name, cells in columns.items()}),
    "pandas-arrow-dictionary": pandas_of(
        lambda: pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
    "pandas-category": pandas_of(lambda: "category"),
    "pandas-nan": lambda columns: pd.DataFrame(
        {name: [math.nan if cell is None else cell for cell in cells]
         for name, cells in columns.items()}, dtype=object),
    "polars": lambda columns: pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
    "polars-category": lambda columns: pl.DataFrame(
        columns, schema=dict.fromkeys(columns, pl.Categorical)),
    "polars-enum": lambda columns: pl.DataFrame(columns, schema={
        name: pl.Enum([*dict.fromkeys(each for each in cells if each is not None)])
        for name, cells in columns.items()}),
    "pyarrow": arrow(pa.string),
    "pyarrow-large": arrow(pa.large_string),
    "pyarrow-view": arrow(pa.string_view),
    "pyarrow-dictionary": arrow(lambda: pa.dictionary(pa.int32(), pa.string())),
    "pyarrow-chunked": chunked,
    "pyarrow-batch": lambda columns: pa.RecordBatch.from_pydict(columns),
    "pyarrow-view-by": lambda columns: pa.table(columns, pa.schema(
        dict.fromkeys(columns, pa.string_view()))),
}  # fmt: skip


def plain(table: Any) -> dict[Any, list[Any]]:
    """A table's columns as lists, gaps as None."""
    if isinstance(table, pd.DataFrame):
        found = {name: table[name].tolist() for name in table.columns}
    elif isinstance(table, pl.DataFrame):
        found = table.to_dict(as_series=False)
    else:
        found = table.to_pydict()
    return {name: [None if each is None or each is pd.NA or each != each else each
                   for each in cells] for name, cells in found.items()}  # fmt: skip


def cells_of(column: Any) -> list[Any]:
    """A column as a list."""
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column.to_list())


def length_type(table: Any) -> str:
    """The package that made it."""
    return type(table).__module__.partition(".")[0]


SAMPLE: Columns = {
    "domain": ["sea", "news", "sea", "news", "sea"],
    "out": ["the lamp was lit at dusk", "the talks went on all night long", "no boat came",
            "the minister will speak on monday", ""],
    "one": ["the lamp was lit at dusk", "the talks went on into the night", "no boat came in",
            None, "nothing was heard"],
    "two": ["they lit the lamp at dusk", None, "not a single boat came",
            "on monday the minister will speak", None],
}  # fmt: skip
HUMANS = [*zip(SAMPLE["one"], SAMPLE["two"], strict=True)]

WORDS = ["the", "cat", "no.", "a\u0300", "\U0001f600", "&amp;", "\x1c", "\n", "\u2028", "3.5", "\0"]
TEXT = st.one_of(
    st.text(max_size=12).filter(lambda text: not text.startswith("\ufeff")),
    st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
)
ROW = st.tuples(
    st.sampled_from(["x", "y", None]), TEXT, st.none() | TEXT, st.none() | TEXT
).filter(lambda row: row[2] is not None or row[3] is not None)
TABLES = st.lists(ROW, min_size=1, max_size=8).map(
    lambda rows: dict(zip(["domain", *NAMES], map(list, zip(*rows, strict=True)), strict=True)))
EVERY_KIND = pytest.mark.parametrize("maker", MAKERS.values(), ids=[*MAKERS])
OF_LISTS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
ONE_OF_EACH = pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])


# The same numbers ---------------------------------------------------------------------------------


def holds(kind: str, columns: Columns) -> bool:
    """Whether a table keeps the texts: categories of pandas 2 end where a NUL is."""
    texts = [text for name in NAMES for text in columns[name] if text]
    return kind != "pandas-category" or "\0" not in "".join(texts)


def every_kind(test: Any) -> Any:
    """One sample in every kind of table, and many others each in one of them."""
    for kind in MAKERS:
        test = example(columns=SAMPLE, kind=kind)(test)
    return given(columns=TABLES, kind=st.sampled_from([*MAKERS]))(test)


@every_kind
def test_every_kind_of_column_is_scored_as_lists_are(columns: Columns, kind: str) -> None:
    assume(holds(kind, columns))
    table = MAKERS[kind](columns)
    humans = [*zip(columns["one"], columns["two"], strict=True)]
    counts = Bleu().count(columns["out"], humans)
    column = score_column(table, "out", ["one", "two"])
    assert cells_of(column) == counts.values()
    numbers = count_columns(table, "out", ["one", "two"])
    assert {name: cells for name, cells in plain(numbers).items()
            if name in counts.columns()} == counts.columns()  # fmt: skip
    assert length_type(numbers) == length_type(table) == length_type(column)
    sums = [sum(cells) for cells in plain(numbers).values()]
    assert Reducer().score(sums) == corpus_bleu(columns["out"], humans)
    if length_type(table) == "pandas":
        assert column.index.equals(table.index) and numbers.index.equals(table.index)
        assert column.name == "bleu"


@every_kind
def test_every_group_is_scored_as_its_corpus(columns: Columns, kind: str) -> None:
    assume(holds(kind, columns))
    found = plain(score_table(MAKERS[kind](columns), "out", ["one", "two"], by="domain"))
    assert found["domain"] == [*dict.fromkeys(columns["domain"])]
    for place, domain in enumerate(found["domain"]):
        rows = [row for row in zip(*columns.values(), strict=True) if row[0] == domain]
        score = corpus_bleu([row[1] for row in rows], [row[2:] for row in rows])
        assert found["segments"][place] == len(rows)
        assert found["score"][place] == score.value
        assert found["signature"][place] == score.signature


ROWS: list[dict[str, Any]] = [
    {"dialect": "nltk", "smoothing": "nltk-1"},
    {"dialect": "ignite"},
    {"dialect": "multi-bleu"},
    {"max_order": 2, "lowercase": True},
]


@ONE_OF_EACH
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_rows_that_average_and_others_add_up(row: dict[str, Any], kind: str) -> None:
    columns = {name: cells * 3 for name, cells in SAMPLE.items()}
    table, reducer = MAKERS[kind](columns), Reducer(**row)
    numbers = plain(count_columns(table, "out", ["one", "two"], **row))
    assert {type(each) for cells in numbers.values() for each in cells} == {int}
    sums = [sum(cells) for cells in numbers.values()]
    assert reducer.score(sums) == reducer.score(reducer.count(columns["out"], HUMANS * 3))
    assert cells_of(score_column(table, "out", ["one", "two"], **row)) == (
        Bleu(**row).count(columns["out"], HUMANS * 3).values())
    whole = plain(score_table(table, "out", ["one", "two"], **row))
    assert whole["score"] == [corpus_bleu(columns["out"], HUMANS * 3, **row).value]


@ONE_OF_EACH
def test_intervals_are_those_of_the_counts_and_left_out_where_they_say_little(kind: str) -> None:
    columns = {name: cells * 12 for name, cells in SAMPLE.items()}
    columns["domain"] = ["many"] * 55 + ["few"] * 5
    table, row = MAKERS[kind](columns), {"dialect": "nltk", "smoothing": "nltk-7"}
    found, last = (
        plain(score_table(table, "out", ["one", "two"], "domain", confidence=0.9, **more))
        for more in ({}, row))  # type: ignore[arg-type]
    interval = Bleu().count(columns["out"][:55], (HUMANS * 12)[:55]).interval(0.9)
    assert interval is not None and interval.reliable
    assert (found["low"], found["high"]) == ([interval.low, None], [interval.high, None])
    assert last["low"] == last["high"] == [None, None]
    assert last["score"][0] == corpus_bleu(columns["out"][:55], (HUMANS * 12)[:55], **row).value
    with pytest.raises(ValueError, match="the last segment holds"):
        count_columns(table, "out", "one", **row)


@EVERY_KIND
def test_a_table_without_rows_has_answers_without_rows(maker: Callable[[Columns], Any]) -> None:
    empty = maker({name: [] for name in SAMPLE})
    assert cells_of(score_column(empty, "out", "one")) == []
    for row in (*ROWS, {}):
        numbers = count_columns(empty, "out", ["one"], **row)
        full = count_columns(maker(SAMPLE), "out", ["one", "two"], **row)
        assert plain(numbers).keys() == plain(full).keys()
        assert not any(plain(numbers).values())
        if length_type(numbers) == "pandas":
            assert numbers.dtypes.equals(full.dtypes)
        else:
            assert numbers.schema == full.schema
    for by in ((), "domain"):
        table = score_table(empty, "out", "one", by=by)
        assert not any(plain(table).values())


@pytest.mark.parametrize("refs", [["refs"], "refs"])
@ONE_OF_EACH
def test_a_column_of_lists_holds_several_references(kind: str, refs: Any) -> None:
    columns = {"out": SAMPLE["out"], "refs": [*map(list, HUMANS)]}
    table = OF_LISTS[kind](columns)
    scores = Bleu().count(SAMPLE["out"], HUMANS).values()
    assert cells_of(score_column(table, "out", refs)) == scores
    if kind == "pyarrow":
        typed = pd.DataFrame({name: pd.arrays.ArrowExtensionArray(table[name])
                              for name in columns})  # fmt: skip
        assert cells_of(score_column(typed, "out", refs)) == scores


@ONE_OF_EACH
def test_a_column_of_token_lists_is_not_tokenised(kind: str) -> None:
    tokens = [["no.", "boat", "came", "in"], ["a", "b", "c", "d", "e"]]
    humans = [["no.", "boat", "came", "in"], ["a", "b", "c", "d", "f"]]
    columns = {"out": tokens, "one": humans}
    table = OF_LISTS[kind](columns)
    found = plain(score_table(table, "out", "one"))
    score = corpus_bleu(tokens, [[each] for each in humans])
    assert (found["score"], found["signature"]) == ([score.value], [score.signature])
    sums = [sum(cells) for cells in plain(count_columns(table, "out", "one")).values()]
    assert Reducer().score(sums) == score


# Databases ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fetch", ["df", "pl", "to_arrow_table"])
def test_a_database_hands_out_tables_and_adds_up_every_kind(fetch: str) -> None:
    duckdb: Any = pytest.importorskip("duckdb", reason=f"duckdb {BRING}")
    names, reducer = ["one", "two"], Reducer("ignite")
    with closing(duckdb.connect()) as database:
        database.register("outputs", pa.table(SAMPLE))
        relation = database.sql("select * from outputs")
        with pytest.raises(TypeError, match="fetch a relation of DuckDB"):
            score_column(relation, "out", "one")
        numbers = count_columns(getattr(relation, fetch)(), "out", names, "ignite")
        query = ", ".join(f"sum({name})" for name in plain(numbers))  # None is a word of SQL
        database.register("counted", numbers)
        [sums] = database.execute(f"select {query} from counted").fetchall()
    assert reducer.score(sums) == reducer.score(reducer.count(SAMPLE["out"], HUMANS))


# What is refused ----------------------------------------------------------------------------------


@EVERY_KIND
def test_a_missing_candidate_is_named_with_row_column_and_cure(
    maker: Callable[[Columns], Any],
) -> None:
    columns = {**SAMPLE, "out": ["a", "b", None, "c", None]}
    told = r"'out' has no text in row 2.*, and 1 more: .* write an empty text .* leave the row out"
    for call in (score_column, count_columns, score_table):
        with pytest.raises(TypeError, match=told):
            call(maker(columns), "out", ["one", "two"])


@ONE_OF_EACH
def test_an_empty_list_cures_a_missing_list_of_tokens(kind: str) -> None:
    ill, well = (OF_LISTS[kind]({"out": [["no", "boat"], cure], "one": [["no", "boat"], ["a"]]})
                 for cure in (None, []))
    with pytest.raises(TypeError, match="column 'out' has no text in row 1: it holds"):
        score_column(ill, "out", "one")
    assert cells_of(score_column(well, "out", "one"))[1] == 0


@EVERY_KIND
def test_a_row_without_any_reference_is_named(maker: Callable[[Columns], Any]) -> None:
    with pytest.raises(ValueError, match=r"row 1.* has no reference in \['two'\]: each row"):
        score_column(maker(SAMPLE), "out", "two")


NO_TABLE: list[Any] = [
    SAMPLE, [SAMPLE], None, "out", pd.Series(SAMPLE["out"]), pl.Series(SAMPLE["out"]),
    pa.array(SAMPLE["out"]), pl.DataFrame(SAMPLE).lazy(), pa.table(SAMPLE).to_reader(),
]  # fmt: skip


@pytest.mark.parametrize("thing", NO_TABLE, ids=lambda thing: type(thing).__name__)
def test_what_is_no_table_is_refused(thing: Any) -> None:
    for call in (score_column, count_columns, score_table):
        with pytest.raises(TypeError, match="a DataFrame of pandas or Polars, or a Table"):
            call(thing, "out", "one")


WRONG_NAMES: list[tuple[Any, Any, Any, type[Exception], str]] = [
    ("oot", "one", (), ValueError, "no column 'oot': did you mean 'out'"),
    ("out", "too", (), ValueError, "no column 'too': did you mean 'two'"),
    ("out", ["one", "too"], (), ValueError, "no column 'too'"),
    ("out", [], (), TypeError, "name a column, or a list of columns"),
    ("out", ["one", "two", "one"], (), ValueError, "column 'one' is named more than once"),
    ("out", ["one", "out"], (), ValueError, "column 'out' holds the candidates, and is among"),
    ("out", "out", (), ValueError, "column 'out' holds the candidates, and is among"),
    (["out", "one"], "two", (), TypeError, "candidates are one column, not"),
    ("out", "one", "domian", ValueError, "no column 'domian': did you mean 'domain'"),
    ("out", "one", ["domain", "domain"], ValueError, "column 'domain' is named more than once"),
    ("out", None, (), ValueError, "no column None"),
    (7, "one", (), ValueError, "no column 7"),
]


@ONE_OF_EACH
@pytest.mark.parametrize("case", WRONG_NAMES, ids=lambda case: str(case[4]))
def test_wrong_names_are_refused(case: tuple[Any, ...], kind: str) -> None:
    candidates, references, by, error, message = case
    with pytest.raises(error, match=message):
        score_table(MAKERS[kind](SAMPLE), candidates, references, by=by)


@pytest.mark.parametrize("made", [
    lambda table: table["one"], lambda table: [table["one"]], lambda table: table["one"][:0],
    *(lambda _, thing=thing: thing for thing in (
        pl.col("one"), [pl.col("one")], pl.Series(["one"]), pd.Index(["one"]), np.array(["one"]),
        pa.array(["one"]), pc.field("one"))),
])  # fmt: skip
@ONE_OF_EACH
def test_what_is_or_stands_for_a_column_is_no_name(kind: str, made: Any) -> None:
    table = MAKERS[kind](SAMPLE)
    thing = made(table)
    for score, *names in ((score_column, thing, "one"), (score_column, "out", thing),
                          (score_table, thing, "one"), (score_table, "out", thing),
                          (score_table, "out", "one", thing)):
        with pytest.raises(TypeError, match="pass no column itself"):
            score(table, *names[:2], **({"by": names[2]} if names[2:] else {}))


def test_labels_that_are_times_are_names() -> None:
    days = [pd.Timestamp(2026, 1, day) for day in (1, 2)]
    table = pd.DataFrame({"out": ["a b"], days[0]: ["a b"], days[1]: ["a c"]})
    assert score_table(table, "out", days)["segments"].tolist() == [1]


@pytest.mark.parametrize("name", ["out", "one"])
@pytest.mark.parametrize("cell", [7, 2.5, b"text", True])
def test_cells_that_are_no_text_are_refused(name: str, cell: Any) -> None:
    columns = {**SAMPLE, name: [*SAMPLE[name][:3], cell, SAMPLE[name][4]]}
    message = rf"column '{name}' holds .* in row 3, which is {type(cell).__name__} and no text"
    with pytest.raises(TypeError, match=message):
        score_column(pd.DataFrame(columns), "out", ["one", "two"])
    for table in (pl.DataFrame({**SAMPLE, name: [cell] * 5}), pa.table(
            {**SAMPLE, name: [cell] * 5})):  # fmt: skip
        with pytest.raises(TypeError, match=f"column '{name}' holds .* in row 0"):
            score_column(table, "out", ["one", "two"])


def test_two_columns_of_one_name_are_refused() -> None:
    table = pa.table(SAMPLE)
    for twice in (pd.DataFrame(SAMPLE)[["out", "one", "one"]],
                  table.append_column("one", table["two"])):  # fmt: skip
        with pytest.raises(ValueError, match="2 columns are named 'one'"):
            score_column(twice, "out", "one")


# Names, groups, kinds -----------------------------------------------------------------------------


def test_columns_of_pandas_may_have_any_name() -> None:
    scores = Bleu().count(SAMPLE["out"], HUMANS).values()
    numbered = pd.DataFrame(SAMPLE).set_axis([0, 1, 2, 3], axis=1)
    assert score_column(numbered, 1, [2, 3]).tolist() == scores
    nested = pd.DataFrame(SAMPLE).set_axis(
        pd.MultiIndex.from_tuples([("a", "d"), ("a", "o"), ("b", "1"), ("b", "2")]), axis=1)
    assert score_column(nested, ("a", "o"), [("b", "1"), ("b", "2")]).tolist() == scores


def test_a_class_that_inherits_is_a_table_of_pandas() -> None:
    class Mine(pd.DataFrame):  # type: ignore[misc]
        """What a package may make of pandas' tables."""

    assert cells_of(score_column(Mine(SAMPLE), "out", ["one", "two"])) == (
        Bleu().count(SAMPLE["out"], HUMANS).values())


@ONE_OF_EACH
def test_groups_by_several_columns_keep_their_types(kind: str) -> None:
    columns = {**SAMPLE, "run": [2, 1, 2, 1, 1]}
    table = OF_LISTS[kind](columns)
    found = score_table(table, "out", ["one", "two"], by=["run", "domain"])
    told = plain(found)
    pairs = [*zip(told["run"], told["domain"], told["segments"], strict=True)]
    assert pairs == [(2, "sea", 2), (1, "news", 2), (1, "sea", 1)]
    if kind == "pandas":
        assert found.dtypes["run"] == table.dtypes["run"]
        assert found.dtypes["domain"] == table.dtypes["domain"]
        assert [*found.index] == [0, 1, 2]
    else:
        assert found.schema.field("run") == table.schema.field("run") if kind == "pyarrow" else (
            found.schema["run"] == table.schema["run"])


TYPES = [pa.string_view(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()),
         pa.timestamp("ns", "UTC"), pa.decimal128(9, 2), pa.int16()]  # fmt: skip


@pytest.mark.parametrize("batch", [False, True], ids=["Table", "RecordBatch"])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_groups_of_pyarrow_keep_every_type(dtype: Any, batch: bool) -> None:
    texts = pa.types.is_string_view(dtype) or pa.types.is_large_string(dtype) or (
        pa.types.is_dictionary(dtype))
    keys = pa.array(["b", "a", None, "b", "a"] if texts else [2, 1, None, 2, 1], dtype)
    table = pa.table({**SAMPLE, "key": keys})
    if batch:
        [table] = table.to_batches()
    found = score_table(table, "out", ["one", "two"], by="key")
    assert (type(found), found.schema.field("key")) == (type(table), table.schema.field("key"))
    assert (found["key"].to_pylist(), found["segments"].to_pylist()) == (
        [keys[place].as_py() for place in (0, 1, 2)], [2, 2, 1])
    whole = corpus_bleu([SAMPLE["out"][at] for at in (0, 3)], [HUMANS[at] for at in (0, 3)])
    assert found["score"][0].as_py() == whole.value


def test_categories_stay_categories_and_missing_ones_stay() -> None:
    table = pd.DataFrame(SAMPLE).assign(
        domain=pd.Categorical(["b", None, "a", None, "b"], categories=["a", "b", "c"]))
    found = score_table(table, "out", ["one", "two"], by="domain")
    assert found["domain"].dtype == table["domain"].dtype
    assert plain(found)["domain"] == ["b", None, "a"] and [*found["segments"]] == [2, 2, 1]


def test_choices_reach_the_metric() -> None:
    for call in (score_column, count_columns, score_table):
        with pytest.raises(ValueError, match="no engine 'no'"):
            call(pl.DataFrame(SAMPLE), "out", ["one", "two"], engine="no", threads=1)


# Only what is there -------------------------------------------------------------------------------


ALONE = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import bleu_nb.adapters.dataframes as frames
assert not {{"pandas", "polars", "pyarrow", "numpy"}} & {{*sys.modules}}
import {kind} as kind
table = kind.{maker}({{"out": ["no boat came in"], "one": ["no boat came"], "by": ["a"]}})
frames.score_column(table, "out", "one"), frames.count_columns(table, "out", "one")
assert len(frames.score_table(table, "out", "one", by="by")) == 1
"""


@pytest.mark.parametrize("kind,maker", [
    ("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"),
])  # fmt: skip
def test_no_other_package_is_needed(kind: str, maker: str) -> None:
    absent = {"pandas", "polars", "pyarrow"} - {kind}
    python(ALONE.format(absent=absent, kind=kind, maker=maker))


# Columns in the place of lists --------------------------------------------------------------------


@EVERY_KIND
def test_columns_are_lists_and_zipped_columns_are_references(
    maker: Callable[[Columns], Any],
) -> None:
    columns = {**SAMPLE, "one": SAMPLE["out"][::-1], "two": SAMPLE["out"]}
    table = maker(columns)
    zipped = [*zip(table["one"], table["two"], strict=True)]
    pairs = [*zip(columns["out"], zip(columns["one"], columns["two"], strict=True), strict=True)]
    for engine in ("bits", "numpy"):
        counts = Bleu(engine=engine).count(table["out"], zipped)
        assert counts.values() == [sentence_bleu(*pair).value for pair in pairs]


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy"])
@ONE_OF_EACH
def test_columns_of_lists_are_token_lists_and_lists_of_references(kind: str, engine: str) -> None:
    tokens = [text.split() for text in SAMPLE["out"]]
    groups = [[each.split() for each in group if each] for group in HUMANS]
    columns = {"out": SAMPLE["out"], "refs": [*map(list, HUMANS)], "tokens": tokens,
               "one": [group[0] for group in groups]}
    table = OF_LISTS[kind](columns)
    assert corpus_bleu(table["out"], table["refs"], engine=engine) == (
        corpus_bleu(SAMPLE["out"], HUMANS))
    assert corpus_bleu(table["tokens"], [[each] for each in table["one"]], engine=engine) == (
        corpus_bleu(tokens, [[each] for each in columns["one"]]))


GAPS: list[Hashable] = [math.nan, pd.NA, pd.NaT]


@pytest.mark.parametrize("gap", GAPS, ids=str)
@pytest.mark.parametrize("place", [0, 1])
def test_gaps_of_a_table_have_a_message_of_their_own(gap: Any, place: int) -> None:
    texts: list[Any] = ["a b", "c d"]
    texts[place] = gap
    cure = r"pass an empty string, .* or leave it out"
    with pytest.raises(TypeError, match=rf"candidates\[{place}\] is missing .*{cure}"):
        corpus_bleu(texts, [["a b"], ["c d"]])
    with pytest.raises(ValueError, match=rf"references\[{place}\] holds no reference"):
        corpus_bleu(["a b", "c d"], [[each] for each in texts])
    alone = [None if each is gap else each for each in texts]
    for engine in ("bits", "numpy"):
        both, usual = (
            corpus_bleu(["a b", "c d"], [[some[0], "a b"], [some[1], "c d"]], engine=engine)
            for some in (texts, alone))
        assert both == usual


def test_scalars_and_nulls_of_pyarrow_are_what_they_stand_for() -> None:
    array = pa.array(["a b c d", None])
    assert corpus_bleu(array[:1], [[array[0], array[1]]]).value == pytest.approx(100)
    with pytest.raises(TypeError, match=r"candidates\[1\] is missing"):
        corpus_bleu(array, [["a"], ["b"]])
    lists = pa.array([["a b c d"], ["b"]])
    assert corpus_bleu(pa.array(["a b c d", "b"]), lists).value == pytest.approx(100)


ONE, LISTS = pa.array(["a b", "c d"]), pa.array([["a b"], ["c d"]])


@pytest.mark.parametrize("engine", ["bits", "numpy"])
@pytest.mark.parametrize(("outputs", "groups", "told"), [
    (pa.array(["a", None]), LISTS, r"candidates\[1\] is missing \(None or NaN\)"),
    (ONE, pa.array([["a"]]), "differ in number, 2 and 1"),
    (ONE, pa.array([["a"], [None]]), r"references\[1\] holds no reference"),
    (ONE, pa.array(["a", "b"]), "references must hold a list for each candidate"),
    (pa.array([b"a", b"\xff"]), LISTS, r"candidates\[1\] is bytes that are not UTF-8"),
    (pa.array([], pa.string()), pa.array([], LISTS.type), "an empty corpus"),
])  # fmt: skip
def test_what_is_wrong_with_columns_is_said(
    outputs: Any, groups: Any, told: str, engine: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        corpus_bleu(outputs, groups, engine=engine)


@pytest.mark.parametrize("outputs", [ONE, ONE.dictionary_encode(), pa.chunked_array([ONE])])
def test_columns_of_any_type_are_counted_in_chunks_of_many_rows(outputs: Any) -> None:
    many = outputs.take(pa.array([0, 1] * 500))
    [chunk] = cut_chunks([many], [["a b"]] * 1000)
    assert len(chunk) == 1000
