from sacrebleu.dataset.base import *
