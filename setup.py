"""Build `bleu_nb` from the metadata in settings.ini."""

import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent
SETTINGS = ConfigParser()
SETTINGS.read(ROOT / "settings.ini", encoding="utf-8")
METADATA = SETTINGS["metadata"]
INIT = (ROOT / "bleu_nb" / "__init__.py").read_text(encoding="utf-8")


def lines(text: str) -> list[str]:
    """The non-empty lines of a settings.ini value."""
    return [line.strip() for line in text.splitlines() if line.strip()]


setup(
    name=METADATA["name"],
    version=re.search(r'__version__ = "(.+?)"', INIT)[1],
    description=METADATA["description"],
    long_description=(ROOT / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=METADATA["author"],
    url=METADATA["repository"] or None,
    license=METADATA["license"],
    license_files=["LICENSE"],
    keywords=METADATA["keywords"].split(),
    python_requires=f">={METADATA['min_python']}",
    install_requires=lines(METADATA["requirements"]),
    extras_require={name: lines(text) for name, text in SETTINGS["extras"].items()},
    entry_points={"console_scripts": lines(METADATA["console_scripts"])},
    packages=find_packages(include=["bleu_nb*"]),
    package_data={"": ["*.pyi"], "bleu_nb": ["py.typed", "example/*.txt", "measured/*.json"]},
    classifiers=[
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Programming Language :: Python :: 3.14",
        "Topic :: Text Processing :: Linguistic",
        "Typing :: Typed",
    ],
)
