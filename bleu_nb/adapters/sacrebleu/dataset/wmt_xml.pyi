from sacrebleu.dataset.wmt_xml import *
