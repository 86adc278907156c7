"""Tables of columns, readable by every library of data frames."""

from __future__ import annotations

from typing import Any, Literal, get_args

from ._arguments import one_of
from ._klero import Columns

Format = Literal["text", "markdown", "latex"]
"""The format of a table of results."""


def laid_out(format: Format, width: int | None) -> tuple[str, int]:
    """A format and a width for the extension. No width is Markdown."""
    one_of("format", format, get_args(Format))
    return ("markdown", 0) if width is None and format == "text" else (format, width or 0)


class Table:
    """A table of columns.

    polars, pandas, pyarrow and DuckDB read its Arrow stream (``__arrow_c_stream__``) without a
    copy; ``to_dict`` needs no package.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._columns.names

    def __len__(self) -> int:
        return len(self._columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._columns.__arrow_c_stream__(requested_schema)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists. A missing value is None."""
        return self._columns.to_dict()

    def pl(self) -> Any:
        """The table as a DataFrame of polars, which must be installed."""
        import polars

        return polars.DataFrame(self)

    def df(self) -> Any:
        """The table as a DataFrame of pandas, which must be installed with pyarrow."""
        return self.arrow().to_pandas()

    def arrow(self) -> Any:
        """The table as a Table of pyarrow, which must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        shown = 20
        columns = self.to_dict()
        head = "".join(f"<th>{escaped(name)}</th>" for name in columns)
        rows = zip(*(cells[:shown] for cells in columns.values()), strict=True)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
        left = len(self) - shown
        more = f"<p>and {left} more rows</p>" if left > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    if isinstance(value, float):
        value = f"{value:.6g}"
    return f"<td>{'' if value is None else escaped(str(value))}</td>"


def escaped(text: str) -> str:
    """A text as HTML shows it."""
    import html

    return html.escape(text)
