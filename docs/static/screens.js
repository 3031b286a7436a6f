// Sections behind tabs and folds. An address within one opens it, and so does the browser's own search.

function tabbed(row) {
  const tabs = [...row.querySelectorAll("a")];
  const panels = tabs.map((tab) => document.getElementById(tab.hash.slice(1)));

  function choose(index) {
    tabs.forEach((tab, place) => {
      const chosen = place === index;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) panels[place].removeAttribute("hidden");
      else panels[place].setAttribute("hidden", "until-found");
    });
    dispatchEvent(new Event("resize")); // What was hidden had no width
  }

  function take(index) {
    choose(index);
    tabs[index].focus();
    history.replaceState(null, "", tabs[index].hash);
  }

  row.setAttribute("role", "tablist");
  tabs.forEach((tab, place) => {
    tab.id = `tab-${panels[place].id}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panels[place].id);
    panels[place].setAttribute("role", "tabpanel");
    panels[place].setAttribute("aria-labelledby", tab.id);
    panels[place].tabIndex = 0;
    panels[place].addEventListener("beforematch", () => choose(place));
    panels[place].addEventListener("asked", () => choose(place));
    tab.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      take(place);
    });
  });
  row.addEventListener("keydown", (event) => {
    const from = tabs.indexOf(event.target);
    const to = {ArrowRight: (from + 1) % tabs.length, ArrowLeft: (from + tabs.length - 1) % tabs.length,
      Home: 0, End: tabs.length - 1, " ": from}[event.key];
    if (from < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    take(to);
  });
  row.parentElement.classList.add("tabs-live");
  choose(0);
}

function open() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  for (let each = place; each; each = each.parentElement) {
    each.querySelector(":scope > details.fold")?.setAttribute("open", "");
    each.dispatchEvent(new Event("asked"));
  }
  place.scrollIntoView();
}

export function start(places) {
  places.forEach((each) => { if (each.matches(".tab-row")) tabbed(each); });
  addEventListener("hashchange", open);
  open();
}
