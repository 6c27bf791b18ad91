// The desk and its sheets by keyboard: Enter goes on, the server says what the marks are, nothing typed is lost.
"use strict";

(() => {
  const PREFIX = "sheet:";
  const store = {
    read(key) {
      try {
        return JSON.parse(localStorage.getItem(PREFIX + key));
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        localStorage.setItem(PREFIX + key, JSON.stringify(value));
      } catch {
        /* private browsing or a full disk: the page still works */
      }
    },
    forget(key) {
      try {
        localStorage.removeItem(PREFIX + key);
      } catch {
        /* same */
      }
    },
    keys() {
      try {
        return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
      } catch {
        return [];
      }
    },
  };

  // Puts the parts marked data-live of a page just fetched into this one; fields and the cursor stay as they are.
  const renew = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const other = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
      if (other && other.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) {
        part.innerHTML = other.innerHTML;
      }
    }
    for (const part of document.querySelectorAll("[data-live-show]")) {
      const other = fresh.querySelector(`[data-live-show="${part.dataset.liveShow}"]`);
      if (other && !part.contains(document.activeElement)) part.hidden = other.hidden;
    }
  };

  // Keys struck while the next page is on its way would be lost: they are caught and typed there, if it is the one meant.
  // This script is not deferred, so that it catches those struck before the page is ready, too.
  const AHEAD = "typed-ahead";
  const readAhead = () => JSON.parse(sessionStorage.getItem(AHEAD) || "null");
  const catchKeys = (to, keys, until) => {
    const catcher = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || (event.key.length > 1 && event.key !== "Enter")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      keys.push(event.key);
      sessionStorage.setItem(AHEAD, JSON.stringify({ to, at: Date.now(), keys }));
    };
    document.addEventListener("keydown", catcher, { capture: true, signal: until });
  };
  const leaveFor = (to) => {
    const back = new AbortController();
    window.addEventListener("pageshow", (event) => event.persisted && back.abort());
    catchKeys(to, [], back.signal);
  };
  const playKeys = (here) => {
    const caught = readAhead();
    sessionStorage.removeItem(AHEAD);
    if (!caught || (caught.to && caught.to !== here) || Date.now() - caught.at > 5000) return;
    if (document.activeElement === document.body) document.querySelector("[autofocus]")?.focus();
    for (const key of caught.keys) {
      const field = document.activeElement;
      if (!field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))) continue;
      if (!field.matches("input")) return;
      if (key === "Enter") field.form.requestSubmit();
      else {
        field.setRangeText(key, field.selectionStart, field.selectionEnd, "end");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  };

  const arriving = new AbortController();
  const coming = readAhead();
  catchKeys(coming?.to, coming?.keys ?? [], arriving.signal);
  document.addEventListener("DOMContentLoaded", () => {
    arriving.abort();
    start();
  });

  const start = () => {
    const saved = document.querySelector("[data-saved]");
    if (saved) store.forget(saved.dataset.saved);

    document.addEventListener("keydown", (event) => {
      if (event.key === "?" && !event.ctrlKey && !event.altKey) {
        const help = document.querySelector("[data-keys]");
        if (help && !event.target.matches("#note, #reason, [name^='decision-']")) {
          event.preventDefault();
          help.open = !help.open;
          if (help.open) help.scrollIntoView({ block: "nearest" });
        }
      }
      const link = document.querySelector(`[data-shortcut="${CSS.escape(event.key)}"]`);
      if (link) {
        event.preventDefault();
        link.click();
      }
    });

    const desk = document.querySelector("[data-desk]");
    if (desk) startDesk(desk);
    const sheet = document.querySelector("[data-sheet]");
    if (sheet) startSheet(sheet);
    playKeys(sheet && "fresh" in sheet.dataset ? "sheet" : desk ? "desk" : "elsewhere");
  };

  function startDesk(page) {
    const field = document.getElementById("table");
    const first = document.querySelector("[data-first]");
    (first || field).focus();
    if (!first) field.select();
    field.addEventListener("keydown", (event) => {
      const undo = document.querySelector("[data-undo]");
      if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !field.value && undo) {
        event.preventDefault();
        undo.click();
      }
    });
    field.form.addEventListener("submit", () => leaveFor("sheet"));
    const unsent = page.querySelector("[data-unsent]");
    const mine = store.keys().filter((key) => key.startsWith(`${page.dataset.desk}-`));
    if (mine.length) {
      const words = mine.length === 1 ? unsent.dataset.one : unsent.dataset.many.replace("%s", mine.length);
      const tables = mine.map((key) => key.split("-").pop()).sort((a, b) => a - b);
      unsent.textContent = `${words} (${unsent.dataset.table} ${tables.join(", ")})`;
      unsent.hidden = false;
    }
    setInterval(async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(location.pathname, { headers: { "X-Requested-With": "fetch" } });
        if (answer.ok && !answer.redirected) renew(await answer.text());
      } catch {
        /* the next turn will say */
      }
    }, 10000);
  }

  function startSheet(form) {
    const key = form.dataset.sheet;
    const inputs = () => [...form.querySelectorAll("[data-key]")];
    const rows = () => inputs().filter((input) => input.matches("[data-row]"));
    const nets = () => inputs().filter((input) => input.matches("[data-net]"));
    const fields = () => [...form.querySelectorAll("input:not([type=hidden]), select")];
    const ids = () => [...form.querySelectorAll("[name^='id-'], [name='nets_version']")].map((id) => id.value).join();
    const undone = [];
    let sent = false;

    const keep = () => {
      const values = {};
      for (const field of fields()) if (field.value !== field.defaultValue || field.matches("select")) values[field.name] = field.value;
      if (Object.values(values).some(Boolean)) store.write(key, { ids: ids(), way: form.dataset.way, values });
      else store.forget(key);
    };

    const restore = () => {
      const kept = store.read(key);
      if (!kept || !("fresh" in form.dataset)) return;
      if (kept.ids !== ids()) {
        store.forget(key);
        return;
      }
      let found = false;
      let lacking = false;
      for (const [name, value] of Object.entries(kept.values)) {
        const field = form.elements.namedItem(name);
        if (!field) lacking = lacking || Boolean(value);
        else if (field.value !== value && value) {
          field.value = value;
          found = true;
        }
      }
      if (lacking && !found && kept.way !== form.dataset.way) {
        submit(`way-${kept.way}`);
        return;
      }
      document.querySelector("[data-restored]").hidden = !found;
      if (found) look();
    };

    const submit = (value) => {
      if (sent) return;
      const button = document.createElement("button");
      button.name = "do";
      button.value = value;
      button.hidden = true;
      form.append(button);
      form.requestSubmit(button);
      button.remove();
    };

    let timer = 0;
    let turn = 0;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        turn += 1;
        const mine = turn;
        try {
          const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
          const html = answer.ok ? await answer.text() : "";
          if (html && mine === turn) renew(html);
        } catch {
          /* without the server there is no preview; what is typed is kept here */
        }
      }, 150);
    };

    const go = (input) => {
      input.focus();
      input.select();
    };

    const onward = (input) => {
      const value = input.value.trim();
      const all = inputs();
      const next = all[all.indexOf(input) + 1];
      undone.push([input, input.defaultValue]);
      if (value === "+" || value === "*") return submit("save");
      if (value === "/") {
        for (const row of rows().slice(rows().indexOf(input))) if (!row.value.trim()) row.value = "/";
        look();
        return nets().length ? go(nets()[0]) : submit("save");
      }
      if (!value && input.matches("[data-row]")) return nets().length ? go(nets()[0]) : submit("control-1");
      if (next) return go(next);
      const blank = (input.matches("[data-net]") ? nets() : rows()).find((other) => !other.value.trim());
      return blank ? go(blank) : submit("save");
    };

    form.addEventListener("keydown", (event) => {
      const input = event.target;
      if (!input.matches("[data-key]")) {
        if (event.key === "Enter" && input.matches("select")) {
          const after = fields()[fields().indexOf(input) + 1];
          event.preventDefault();
          if (after) after.focus();
        } else if (event.key === "Enter" && input.matches("#note")) {
          event.preventDefault();
          submit("aside");
        }
        return;
      }
      const all = inputs();
      const at = all.indexOf(input);
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        if (event.repeat) return;
        onward(input);
      } else if (event.key === "ArrowUp" && at > 0) {
        event.preventDefault();
        go(all[at - 1]);
      } else if (event.key === "ArrowDown" && at < all.length - 1) {
        event.preventDefault();
        go(all[at + 1]);
      } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !input.value && undone.length) {
        event.preventDefault();
        const [before, was] = undone.pop();
        before.value = was;
        go(before);
        keep();
        look();
      }
    });

    // A block of lines pasted into a row fills the rows below it.
    form.addEventListener("paste", (event) => {
      const lines = event.clipboardData.getData("text").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
      if (!event.target.matches("[data-row]") || lines.length < 2) return;
      event.preventDefault();
      const from = rows().indexOf(event.target);
      lines.forEach((line, index) => {
        const row = rows()[from + index];
        if (row) row.value = line;
      });
      keep();
      look();
    });

    form.addEventListener("input", () => {
      keep();
      look();
    });
    form.addEventListener("click", (event) => {
      const fix = event.target.closest("[data-replace]");
      if (fix) {
        const input = form.elements.namedItem(fix.dataset.in);
        input.value = fix.dataset.replace;
        go(input);
        keep();
        look();
      } else if (event.target.matches("[data-forget]")) {
        store.forget(key);
        sent = true;
        location.assign(location.pathname);
      }
    });
    form.addEventListener("submit", (event) => {
      if (sent) event.preventDefault();
      else if (!event.submitter || event.submitter.value === "save") leaveFor("desk");
      sent = true;
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) sent = false;
    });
    restore();
  }
})();
