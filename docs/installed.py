"""How the package is got from the site itself: one line, with the address of the site's wheel.

`tools/build_site.py` puts the wheel's name and sum in the place of these words.
"""

EXTRAS = ("", "fast", "learn", "transformers")


def lines() -> dict[str, str]:
    """Name -> HTML that a page shows by writing the name in double braces."""
    return {f"install_{extra}".rstrip("_"): line(extra) for extra in EXTRAS}


def line(extra: str) -> str:
    """What pip takes of a wheel that was downloaded; site.js puts in the address to get it from."""
    asked = f"[{extra}]" if extra else ""
    return (f'<div class="install" data-extra="{asked}"><p>Download '
            '<a href="WHEEL_NAME#sha256=WHEEL_SHA256" download>the wheel</a> first, then:</p>'
            f'<div class="highlight-sh"><div class="highlight"><pre>pip install '
            f'"./WHEEL_NAME{asked}"</pre></div></div></div>')
