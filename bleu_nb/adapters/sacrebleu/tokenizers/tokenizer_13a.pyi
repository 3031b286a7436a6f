from sacrebleu.tokenizers.tokenizer_13a import *
