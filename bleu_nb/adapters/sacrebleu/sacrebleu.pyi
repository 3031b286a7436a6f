from sacrebleu.sacrebleu import parse_args as parse_args

from .drop_in import run_command as main
