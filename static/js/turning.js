// The pages of the desk follow each other inside one document, so that no key can fall between two of them.
// Keys struck while the next page is on its way are kept and typed there, if it is the page they were meant for.
// This script is not deferred: it also keeps the keys struck before the first page is ready.
"use strict";

const turning = (() => {
  const PAGE = "[data-page]"; // a page of the desk
  const STOP = "[data-stop]"; // a page that says or asks something: nobody typed ahead for it
  const ADDRESS = /\/positions\/\d+\/(saisie|tables\/\d+)\/$/;
  const PATIENCE = 30000;
  const EDITS = new Set(["Enter", "Tab", "Backspace", "Delete", "ArrowUp", "ArrowDown"]);

  const starters = [];
  const caught = [];
  let ready = false;
  let life = new AbortController();

  const main = () => document.getElementById("content");
  const notice = (id) => document.getElementById(id);

  const keep = (event) => {
    if (ready || event.altKey || event.metaKey || event.isComposing) return;
    const command = event.ctrlKey && event.key.toLowerCase() === "z";
    if (!command && (event.ctrlKey || (event.key.length > 1 && !EDITS.has(event.key)))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Enter" && event.repeat) return;
    caught.push({ key: event.key, ctrlKey: event.ctrlKey, shiftKey: event.shiftKey });
  };
  document.addEventListener("keydown", keep, true);
  // The keyboard of a telephone names no key: it only says which text it would put in.
  document.addEventListener("beforeinput", (event) => {
    if (ready || event.isComposing || !event.cancelable) return;
    event.preventDefault();
    const erased = { deleteContentBackward: ["Backspace"], deleteContentForward: ["Delete"] }[event.inputType];
    for (const key of erased || event.data || "") caught.push({ key, ctrlKey: false, shiftKey: false });
  }, true);

  const isFolded = (element) => element.closest("details:not([open]) > :not(summary)");
  const stops = () => [...main().querySelectorAll("a[href], button, input, select, textarea, summary")].filter(
    (element) => !element.disabled && element.tabIndex >= 0 && element.getClientRects().length && !isFolded(element),
  );

  // Chooses as a list does: by the first letter, or by the arrows.
  const choose = (list, key) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    const index = by
      ? list.selectedIndex + by
      : [...list.options].findIndex((option) => option.text.toUpperCase().startsWith(key.toUpperCase()));
    if (!list.options[index]) return;
    list.selectedIndex = index;
    list.dispatchEvent(new Event("input", { bubbles: true }));
    list.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const put = (field, text, from, to) => {
    if (text && field.maxLength >= 0 && field.value.length - (to - from) >= field.maxLength) return;
    field.setRangeText(text, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Does what the browser would have done with a key.
  const strike = ({ key, ctrlKey, shiftKey }) => {
    const field = document.activeElement;
    const event = new KeyboardEvent("keydown", { key, ctrlKey, shiftKey, bubbles: true, cancelable: true });
    if (!field.dispatchEvent(event) || ctrlKey) return;
    const isText = field.matches("input:not([type=checkbox], [type=radio], [type=submit])");
    if (key === "Tab") {
      const all = stops();
      all[all.indexOf(field) + (shiftKey ? -1 : 1)]?.focus();
      if (document.activeElement.matches("input")) document.activeElement.select();
    } else if (key === "Enter") {
      if (isText) field.form.requestSubmit();
      else field.click();
    } else if (field.matches("select")) {
      choose(field, key);
    } else if (isText) {
      const { selectionStart: from, selectionEnd: to } = field;
      if (key === "Backspace") put(field, "", from === to ? Math.max(0, from - 1) : from, to);
      else if (key === "Delete") put(field, "", from, from === to ? to + 1 : to);
      else if (key.length === 1) put(field, key, from, to);
    }
  };

  // Says which keys were not taken, since the page is not the one they were meant for.
  const leave = () => {
    const words = notice("untaken");
    if (!caught.length || !words) return;
    const signs = { Enter: " ↵ ", Tab: " ⇥ ", Backspace: "⌫", Delete: "⌦", ArrowUp: "↑", ArrowDown: "↓" };
    const said = caught.splice(0).map(({ key, ctrlKey }) => (ctrlKey ? ` Ctrl+${key} ` : signs[key] || key));
    const place = words.querySelector("[data-keys-said]");
    place.textContent = (place.textContent + said.join("")).trim();
    words.hidden = false;
  };

  const address = () => location.pathname + location.search;
  let here = address();

  const arrive = (change) => {
    ready = true; // a start may turn to yet another page: the keys wait for that one
    const isPage = main().querySelector(PAGE) !== null;
    here = isPage ? address() : "";
    for (const next of document.querySelectorAll("footer [name=next]")) next.value = address();
    const refusals = starters.map((start) => start(main(), { ...change, signal: life.signal }));
    if (!ready) return;
    if (!isPage && change.turned) main().focus();
    if (!isPage || main().querySelector(STOP) || refusals.some(Boolean)) leave();
    while (ready && caught.length) strike(caught.shift());
  };

  const stay = (why) => {
    main().removeAttribute("aria-busy");
    if (address() !== here) history.pushState(null, "", here); // the way back was not gone
    ready = true;
    notice(why).hidden = false;
    notice(why).scrollIntoView({ block: "nearest" });
    leave();
  };

  // Puts the page at an address in the place of this one; `sent` tells the next page what was sent.
  const turn = async (to, { body, sent } = {}) => {
    if (!ready) return;
    ready = false;
    main().setAttribute("aria-busy", "true");
    let answer;
    let html;
    try {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), PATIENCE);
      answer = await fetch(to, { method: body ? "POST" : "GET", body, signal: limit.signal });
      html = await answer.text();
      clearTimeout(timer);
    } catch {
      stay("offline");
      return;
    }
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const page = fresh.getElementById("content");
    if (answer.status >= 500) {
      stay("refused");
    } else if (!page || (answer.ok && !page.querySelector(PAGE))) {
      location.assign(answer.url);
    } else {
      life.abort();
      life = new AbortController();
      document.title = fresh.title;
      main().replaceWith(document.adoptNode(page));
      if (answer.url !== location.href || !page.querySelector(PAGE)) history.pushState(null, "", answer.url);
      window.scrollTo(0, 0);
      arrive({ sent, redirected: answer.redirected, turned: true });
    }
  };

  // Stays in this document for a form or a link that leads from one page of the desk to another.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.closest(PAGE)) return;
    event.preventDefault();
    const data = new FormData(form);
    if (event.submitter?.name) data.append(event.submitter.name, event.submitter.value);
    const to = new URL(form.action, location.href);
    if (form.method === "post") turn(to, { body: data, sent: { form, value: event.submitter?.value || "" } });
    else turn(Object.assign(to, { search: new URLSearchParams(data) }));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || !main().querySelector(PAGE)) return;
    const to = new URL(link.href, location.href);
    if (to.origin !== location.origin || !ADDRESS.test(to.pathname) || to.hash) return;
    event.preventDefault();
    turn(to);
  });
  window.addEventListener("popstate", () => {
    if (address() === here) return; // only the part of the page shown has changed
    if (ready) turn(location.href);
    else location.reload();
  });
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    main().removeAttribute("aria-busy"); // the browser kept this page as it was left, on its way to another
    ready = true;
  });
  document.addEventListener("DOMContentLoaded", () => arrive({ sent: null, redirected: false, turned: false }));

  return {
    turn,
    // Calls start(main, {sent, redirected, signal}) for each page that comes; the signal ends with the page. A start that
    // returns true has keys struck ahead left out: the page holds something nobody saw when they were struck.
    onArrival: (start) => starters.push(start),
  };
})();
