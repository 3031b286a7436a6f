from sacrebleu.version import *
