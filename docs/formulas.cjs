// Formulas become SVG while the site is built, so that no page has to load MathJax.
// In: one JSON line {tex, display} for each formula. Out: one JSON line {svg, mathml} or {error}.
const readline = require("readline");

require("mathjax").init({
  loader: {load: ["input/tex", "output/svg"]},
  svg: {fontCache: "local"},
  tex: {formatError: (jax, error) => { throw error; }},
}).then((MathJax) => {
  const {adaptor} = MathJax.startup;
  const lines = readline.createInterface({input: process.stdin});
  lines.on("line", (line) => {
    const {tex, display} = JSON.parse(line);
    let answer;
    try {
      const drawn = MathJax.tex2svg(tex, {display});
      answer = {svg: adaptor.innerHTML(drawn), mathml: MathJax.tex2mml(tex, {display})};
    } catch (error) {
      answer = {error: error.message};
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  });
});
