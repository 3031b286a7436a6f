from sacrebleu.metrics.chrf import *
