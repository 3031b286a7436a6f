from sacrebleu.tokenizers.tokenizer_ter import *
