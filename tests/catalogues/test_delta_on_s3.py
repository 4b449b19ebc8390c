"""Delta tables in S3: what models go through in a catalogue of Iceberg's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalogues.catalogues import delta_on_s3
from tests.catalogues.parts import PARTS
from tests.catalogues.test_catalogues import lived
from tests.catalogues.texts import MODELS
from tests.harness import FILE_FORMAT


@pytest.mark.slow
@pytest.mark.skipif(FILE_FORMAT != "delta", reason="the other catalogues are of Iceberg tables")
def test_delta_in_s3(tmp_path: Path) -> None:
    with delta_on_s3(tmp_path) as settings:
        lived(tmp_path, settings, MODELS, list(PARTS))
