"""Record what an old version of nltk or sacreBLEU answers by each of its smoothing methods.

Install the version in a folder, put that folder first on PYTHONPATH, and run
`python tests/helpers/record_versions.py tests/recorded/versions.json.gz`, once per version. The
answers to the cases of the file replace earlier ones of the same version. Python 3.6 runs nltk up
to 3.4 and 3.8 runs the others, so this file has no syntax that came later.
"""

import argparse
import gzip
import json
import sys
import warnings

QUARTERS = (0.25, 0.25, 0.25, 0.25)


def ask_nltk(params, case):
    """The score of one case by nltk."""
    from nltk.translate import bleu_score

    numbers = {name: params[name] for name in ("epsilon", "alpha", "k") if name in params}
    method = getattr(bleu_score.SmoothingFunction(**numbers), params["smoothing"])
    return bleu_score.corpus_bleu(
        case["refs_tok"], case["hyps_tok"], tuple(params.get("weights", QUARTERS)), method,
        params.get("auto_reweigh", False))


def ask_sacrebleu(params, case):
    """The score of one case by sacreBLEU 1.5, whose references are streams."""
    import sacrebleu

    longest = max(map(len, case["refs_raw"]))
    streams = [[group[place] if place < len(group) else None for group in case["refs_raw"]]
               for place in range(longest)]
    return sacrebleu.corpus_bleu(
        case["hyps_raw"], streams, params["smooth_method"], params.get("smooth_value"),
        use_effective_order=params["effective_order"]).score


def settings_of_nltk():
    """Every method as it is, and what else decides its score, where it does."""
    settings = [{"smoothing": f"method{number}"} for number in range(8)]
    more = [("method1", {"epsilon": 0.5}), ("method6", {"alpha": 2}), ("method4", {"k": 2}),
            ("method7", {"k": 2}), ("method7", {"weights": [0.5, 0.5]}),
            ("method7", {"weights": [0.2, 0.2, 0.2, 0.2, 0.2]}),
            ("method7", {"weights": [0.5, 0.5], "auto_reweigh": True}),
            ("method7", {"weights": [0.1, 0.2, 0.3, 0.4], "auto_reweigh": True}),
            ("method7", {"weights": [0.25, 0.25, 0.25, 0.25], "auto_reweigh": True})]
    return settings + [dict(each, smoothing=name) for name, each in more] + [
        dict(each, auto_reweigh=True) for each in settings]


def settings_of_sacrebleu():
    """Every method, with its own number and others, with and without the effective order."""
    return [dict(each, effective_order=effective) for effective in (False, True) for each in (
        {"smooth_method": "none"}, {"smooth_method": "exp"}, {"smooth_method": "floor"},
        {"smooth_method": "floor", "smooth_value": 0.01}, {"smooth_method": "add-k"},
        {"smooth_method": "add-k", "smooth_value": 0.5})]


def record(impl, ask, params, cases):
    """The answers to all cases by one setting."""
    scores, errors = [], {}
    for case in cases:
        try:
            scores.append(float(ask(params, case)).hex())
        except Exception as error:  # Whatever the tool raises is its answer
            scores.append(None)
            errors[case["case_id"]] = type(error).__name__
    return {"impl": impl, "params": params, "scores": scores, "errors": errors}


def installed():
    """The tool that is on the path, with its settings."""
    try:
        import nltk
    except ImportError:
        import sacrebleu

        version = sacrebleu.__version__
        return "sacrebleu.corpus_bleu", version, ask_sacrebleu, settings_of_sacrebleu()
    return "nltk.corpus_bleu", nltk.__version__, ask_nltk, settings_of_nltk()


def main():
    """Record the version that is on the path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    path = parser.parse_args().file
    warnings.simplefilter("ignore")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        known = json.load(file)
    impl, version, ask, settings = installed()
    kept = [each for each in known["configs"]
            if (each["impl"], each["params"]["version"]) != (impl, version)]
    made = [record(impl, ask, dict(each, version=version), known["cases"]) for each in settings]
    known["configs"] = sorted(kept + made, key=lambda each: (
        each["impl"], [int(part) for part in each["params"]["version"].split(".")]))
    known["meta"]["python"][f"{impl} {version}"] = sys.version.split()[0]
    text = json.dumps(known, ensure_ascii=False)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode("utf-8"))


if __name__ == "__main__":
    main()
