"""Finds the user's aggregates in the files of a folder and registers them in a Spark session."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dbt_event_windows.declaration import Declaration, declaration_of
from dbt_event_windows.errors import AggregatorError, EventWindowsError
from dbt_event_windows.spark_archives import leaving_archives_alone

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Fingerprint = tuple[tuple[str, int, int], ...]
_registered: WeakKeyDictionary[SparkSession, tuple[Fingerprint, set[str]]] = WeakKeyDictionary()


def register_folder(spark: SparkSession, folder: Path) -> None:
    """Register what `@aggregator` declares in the Python files of a folder.

    The same files again do nothing. What another folder registered in the session before, or an
    earlier version of these files, is dropped.

    Raises:
        AggregatorError: a file cannot be imported, or a declaration in it cannot be used.
    """
    fingerprint = tuple(
        (str(path), path.stat().st_mtime_ns, path.stat().st_size)
        for path in sorted(folder.rglob("*.py"))
    )
    before, old = _registered.get(spark, ((), set()))
    if fingerprint == before:
        return
    functions = _functions(spark, load_folder(folder))
    for name in old:
        spark.sql(f"drop temporary function if exists {name}")
    for name, function in functions.items():
        spark.udf.register(name, leaving_archives_alone(function))
    _registered[spark] = (fingerprint, set(functions))


def load_folder(folder: Path) -> list[Declaration]:
    """The aggregates that are declared in the Python files of a folder, files by name.

    Raises:
        AggregatorError: a file cannot be imported or has the name of another module, or two
            classes have the same name in SQL.
    """
    _check_names(folder)
    found: dict[str, Declaration] = {}
    with _importable(folder):
        for path in sorted(folder.glob("*.py")):
            for value in vars(_load(path)).values():
                declaration = declaration_of(value)
                if declaration is None:
                    continue
                other = found.setdefault(declaration.name, declaration)
                if other.cls is not declaration.cls:
                    raise AggregatorError(
                        f"{path}: {declaration.name!r} is declared twice, by "
                        f"{other.cls.__name__} and {declaration.cls.__name__}: rename one"
                    )
    return list(found.values())


def _check_names(folder: Path) -> None:
    """Refuse what has the name of a module of Python, or of one that is loaded from elsewhere.

    `import` gives one of the two: here that which is loaded first, also to packages that want the
    other, and on Spark's workers, which cannot import the folder, always the other.
    """
    packages = [file.parent for file in folder.glob("*/__init__.py")]
    for path in sorted([*folder.glob("*.py"), *packages]):
        file = getattr(sys.modules.get(path.stem), "__file__", None)
        loaded = path.stem in sys.modules and not (
            file and Path(file).resolve().is_relative_to(folder.resolve())
        )
        if loaded or path.stem in sys.stdlib_module_names:
            raise AggregatorError(
                f"{path}: another module has the name {path.stem!r} ({file or 'of Python itself'}),"
                " and Python, here or on Spark's workers, would take the one for the other: "
                "rename yours"
            )


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let files of the folder import each other.

    Spark's workers cannot import them. Modules that are no longer known by name when functions are
    sent to the workers are sent with them by cloudpickle.
    """
    before = dict(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        loaded = [name for name, one in dict(sys.modules).items() if one is not before.get(name)]
        for name in loaded:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(folder):
                del sys.modules[name]
                if name in before:  # the process had imported it by itself
                    sys.modules[name] = before[name]


def _load(path: Path) -> ModuleType:
    if path.stem in sys.modules:  # another file of the folder has imported it
        module = sys.modules[path.stem]
        if getattr(module, "__file__", None) == str(path):
            return module
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except AggregatorError as error:
        raise AggregatorError(f"{path}: {error}") from error
    except Exception as error:  # the file is the user's: it may raise anything
        raise _failed(f"{path} cannot be imported", error) from error
    return module


def _failed(what: str, error: Exception) -> AggregatorError:
    """An error that shows the traceback of the user's own code."""
    shown = "".join(traceback.format_exception(error)).rstrip()
    return AggregatorError(f"{what}:\n{shown}")


def _functions(spark: SparkSession, declarations: list[Declaration]) -> dict[str, Any]:
    """The functions in SQL of all aggregates, by name."""
    from dbt_event_windows.aggregate_functions import make_udfs

    if not declarations:
        return {}
    names = "|".join(declaration.name for declaration in declarations)
    for row in spark.sql(f"show system functions like '{names}'").collect():
        raise AggregatorError(
            f"aggregate {row[0]!r}: Spark has a function of this name: give another name"
        )
    types = _types(spark, declarations)
    functions: dict[str, Any] = {}
    for declaration in declarations:
        name = declaration.name
        try:
            functions |= make_udfs(declaration, types[name, "state"], types[name, "returns"])
        except EventWindowsError as error:
            raise AggregatorError(f"aggregate {name!r}: {error}") from error
        except Exception as error:  # the class is the user's: it may raise anything
            raise _failed(f"aggregate {name!r} cannot be used", error) from error
    return functions


def _types(
    spark: SparkSession, declarations: list[Declaration]
) -> dict[tuple[str, str], tuple[Any, Any]]:
    """Types of states and values as Spark and as Arrow have them, by aggregate and option."""
    from pyspark.errors import PySparkException
    from pyspark.sql.types import DataType, StructType

    types: dict[tuple[str, str], Any] = {}
    schema = StructType()
    for declaration in declarations:
        for option in ("state", "returns"):
            text = getattr(declaration, option)
            try:
                types[declaration.name, option] = DataType.fromDDL(text)
            except PySparkException as error:
                raise AggregatorError(
                    f"aggregate {declaration.name!r}: {option} is {text!r}, which is no type: "
                    f"write it as in SQL, such as 'struct<n: bigint, total: double>'\n{error}"
                ) from error
            schema = schema.add(f"{declaration.name} {option}", types[declaration.name, option])
    arrow = spark.createDataFrame([], schema).toArrow().schema
    return {key: (type_, arrow.field(" ".join(key)).type) for key, type_ in types.items()}
