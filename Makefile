# `make site` builds the site in build/site, from the packages that docs/requirements.txt and
# docs/package-lock.json lock. `make serve` shows it on this machine. `make frameworks` tests the
# adapters to frameworks, in an environment beside the one that README makes.
PYTHON ?= python3
PORT ?= 8000
VENV = build/site-venv

.PHONY: site serve lock frameworks

site: $(VENV)/installed docs/node_modules
	$(VENV)/bin/python tools/build_site.py

serve: site
	$(VENV)/bin/python -m http.server --bind 127.0.0.1 --directory build/site $(PORT)

$(VENV)/installed: docs/requirements.txt settings.ini
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install -r docs/requirements.txt -e .
	touch $@

docs/node_modules: docs/package-lock.json
	npm ci --prefix docs --ignore-scripts --no-audit --no-fund
	touch $@

frameworks:
	.venv/bin/python tools/frameworks.py

lock:
	uv pip compile setup.py --extra site --extra fast --universal --python-version 3.10 \
		--no-annotate --custom-compile-command "make lock" --quiet --output-file docs/requirements.txt
	npm install --prefix docs --package-lock-only --no-audit --no-fund
