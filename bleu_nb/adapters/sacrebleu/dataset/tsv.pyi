from sacrebleu.dataset.tsv import *
