"""Stored notebooks in JupyterLab, as a newcomer opens them: from a fresh clone, not trusted."""

import base64
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import book
import nbformat
import pytest
from browser import follow

from bleu_nb import sentence_bleu
from bleu_nb.display.charts import GROUND
from bleu_nb.display.score_breakdown import draw_score

ROOT = Path(__file__).resolve().parents[2]
STARTS_WITHIN = 120  # Seconds
OPENS_WITHIN = 120_000  # Milliseconds
SETTINGS = {  # Every cell is in the page, and nothing is asked or fetched.
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
TITLE = re.compile(r"<title>(.*?)</title>")
# To look, nothing has to run.
NO_KERNELS = ("--KernelSpecManager.ensure_native_kernel=False",
              "--KernelSpecManager.allowed_kernelspecs=none")
STRIPPED = "<svg class='planted'><title>words</title></svg><script>window.hit = 1</script>"
IMAGES = """() => [...document.querySelectorAll(".jp-OutputArea-output img")].map((image) =>
    [image.alt, image.complete && image.naturalWidth > 0 && image.clientWidth > 0])"""
FOLDED = """() => [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map((cell) =>
    Boolean(cell.querySelector(".jp-InputPlaceholder, .jp-Cell-inputWrapper .jp-Placeholder")))"""
CORNER = """async (screenshot) => {
    const image = new Image();
    image.src = "data:image/png;base64," + screenshot;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: 9, height: 9});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return "#" + [...context.getImageData(2, 2, 1, 1).data].slice(0, 3)
        .map((part) => part.toString(16).padStart(2, "0")).join("");
}"""


STORED = [  # The HTML of every output of every notebook
    output.data["text/html"] for path in book.notebooks()
    for cell in nbformat.read(path, as_version=4).cells
    for output in cell.get("outputs", []) if "text/html" in output.get("data", {})]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Any]:
    """A page of a JupyterLab that has a folder of its own for everything and trusts nothing."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is not installed")
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "nbs").mkdir()
    shutil.copy(ROOT / "nbs" / "index.ipynb", folder / "nbs")
    new = nbformat.v4
    nbformat.write(new.new_notebook(cells=[
        new.new_code_cell(outputs=[new.new_output("display_data", {"text/html": html})])
        for html in [STRIPPED, *STORED]]), folder / "nbs" / "gathered.ipynb")
    for name, settings in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    token = secrets.token_hex()
    own = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / name.lower())
            for name in ("SETTINGS", "WORKSPACES")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", *NO_KERNELS,
               f"--ServerApp.root_dir={folder / 'nbs'}"]
    environment = {**os.environ, **own, "JUPYTER_TOKEN": token, "IPYTHONDIR": str(folder)}
    with (folder / "log").open("wb") as log, subprocess.Popen(
            command, env=environment, cwd=folder, stdout=log, stderr=log) as server:
        try:
            latest, told = time.monotonic() + STARTS_WITHIN, list[Path]()
            while not told and time.monotonic() < latest and server.poll() is None:
                time.sleep(0.1)
                told = [each for each in (folder / "RUNTIME").glob("jpserver-*.json")
                        if each.stat().st_size]
            assert told, (folder / "log").read_text(encoding="utf-8")
            page = browser.new_page()
            page.goto(f"{json.loads(told[0].read_text('utf-8'))['url']}lab?token={token}")
            yield page
            page.context.close()
        finally:
            server.kill()  # Asked, it may wait for ever


def open_notebook(lab: Any, name: str, cells: int, images: int) -> None:
    """Show one notebook, and wait until it is there as a whole."""
    lab.goto(urljoin(lab.url, f"/doc/tree/{name}.ipynb"))
    lab.wait_for_function(f"document.querySelectorAll('.jp-Notebook .jp-Cell').length === {cells}",
                          timeout=OPENS_WITHIN)
    lab.wait_for_function("""(number) => {
        const images = [...document.querySelectorAll(".jp-OutputArea-output img")];
        return images.length >= number && images.every((image) => image.complete);
    }""", arg=images, timeout=OPENS_WITHIN)


def test_all_pictures_are_drawn_without_trust(lab: Any) -> None:
    images, tables = ("".join(STORED).count(tag) for tag in ("<img ", "<table "))
    open_notebook(lab, "gathered", 1 + len(STORED), images)
    follow(lab, (".jp-OutputArea-output table", "to_have_count", tables),
           (".jp-OutputArea-output svg, .planted", "to_have_count", 0))
    assert not lab.evaluate("window.hit")
    shown = lab.evaluate(IMAGES)
    titles = [title for html in STORED for svg in book.pictures(html)
              for title in TITLE.findall(svg)]
    assert [alt.split("\n")[0] for alt, _ in shown] == list(map(unescape, titles))
    assert len(shown) == images > 0 and all(is_drawn for _, is_drawn in shown)


def test_a_notebook_opens_with_its_pictures_and_without_its_plumbing(lab: Any) -> None:
    cells = nbformat.read(ROOT / "nbs" / "index.ipynb", as_version=4).cells
    open_notebook(lab, "index", len(cells), 2)
    assert [is_drawn for _, is_drawn in lab.evaluate(IMAGES)] == [True, True]
    plumbing = [cell.cell_type == "code" and book.is_plumbing(cell.source) for cell in cells]
    lab.wait_for_function(
        f"(plumbing) => String(({FOLDED})()) === String(plumbing)", arg=plumbing)


@pytest.mark.parametrize(("scheme", "ground"), [*zip(("light", "dark"), GROUND, strict=True)])
def test_an_image_follows_the_scheme_of_its_viewer(browser: Any, scheme: str, ground: str) -> None:
    page = browser.new_page(color_scheme=scheme)
    picture = draw_score(sentence_bleu("a b", ["a b c"]))._repr_html_()
    page.set_content(f"<meta name='color-scheme' content='light dark'>{picture}")
    screenshot = base64.b64encode(page.locator("img").screenshot()).decode()
    assert page.evaluate(CORNER, screenshot) == ground
    page.context.close()
