# The stages of the tests, after README's second command: `make check-site`, `make frameworks` and
# `make check-release`; `make check-long` and `make check-oldest` are slower, for before a release.
# `make site` builds the site in build/site, from the packages that docs/requirements.txt and
# docs/package-lock.json lock. `make serve` shows it on this machine,
# and builds it only where there is none.
PYTHON ?= python3
PORT ?= 8000
VENV = build/site-venv
PYTEST = .venv/bin/pytest -n auto --dist loadfile

.PHONY: site serve lock check-site frameworks check-release check-long check-oldest

site: $(VENV)/installed docs/node_modules
	$(VENV)/bin/python tools/build_site.py

# Serves the site that is there at once; `make site` brings it up to date.
serve:
	test -f build/site/index.html || $(MAKE) site
	$(PYTHON) -m http.server --bind 127.0.0.1 --directory build/site $(PORT)

$(VENV)/installed: docs/requirements.txt settings.ini
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install -r docs/requirements.txt -e .
	touch $@

docs/node_modules: docs/package-lock.json
	npm ci --prefix docs --ignore-scripts --no-audit --no-fund
	touch $@

check-site:
	$(PYTEST) tests/site

frameworks:
	.venv/bin/python tools/frameworks.py

check-release:
	$(PYTEST) tests/release

check-long:
	$(PYTEST) -m slow
	HYPOTHESIS_PROFILE=long $(PYTEST)

check-oldest:
	.venv/bin/pytest tests/release/test_package.py --oldest
	.venv/bin/python tools/frameworks.py --oldest

lock:
	uv pip compile setup.py --extra site --extra fast --universal --python-version 3.10 \
		--no-annotate --custom-compile-command "make lock" --quiet --output-file docs/requirements.txt
	npm install --prefix docs --package-lock-only --no-audit --no-fund
