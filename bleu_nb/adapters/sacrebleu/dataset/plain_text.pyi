from sacrebleu.dataset.plain_text import *
