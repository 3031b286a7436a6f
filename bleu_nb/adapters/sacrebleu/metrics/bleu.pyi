from sacrebleu.metrics.base import Metric as Metric
from sacrebleu.metrics.base import Score as Score
from sacrebleu.metrics.base import Signature as Signature
from sacrebleu.metrics.bleu import _TOKENIZERS as _TOKENIZERS
from sacrebleu.metrics.bleu import MAX_NGRAM_ORDER as MAX_NGRAM_ORDER
from sacrebleu.metrics.bleu import BLEUScore as BLEUScore
from sacrebleu.metrics.bleu import _get_tokenizer as _get_tokenizer
from sacrebleu.metrics.helpers import extract_all_word_ngrams as extract_all_word_ngrams

from ..drop_in import BLEU as BLEU
from ..drop_in import BLEUSignature as BLEUSignature
