from sacrebleu.dataset.iwslt_xml import *
