from sacrebleu.dataset.fake_sgml import *
