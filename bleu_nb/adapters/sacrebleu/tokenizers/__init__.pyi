from sacrebleu.tokenizers import *
