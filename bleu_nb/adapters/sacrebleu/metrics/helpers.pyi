from sacrebleu.metrics.helpers import *
