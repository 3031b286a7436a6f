"""What `nbdev-docs` finds in the place of Quarto's pages; pyproject.toml names it, nothing else."""

import sys

sys.exit("The site of this project is not made with Quarto: run `make site`.")
