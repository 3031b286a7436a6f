from sacrebleu.tokenizers.tokenizer_re import *
