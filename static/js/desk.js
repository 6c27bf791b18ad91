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

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat) {
      event.preventDefault(); // a finger that stays on Enter says it once
      return;
    }
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

  turning.onArrival((main, { sent, redirected, signal }) => {
    if (sent) forgetSaved(sent, redirected);
    const desk = main.querySelector("[data-desk]");
    if (desk) startDesk(desk, signal);
    const sheet = main.querySelector("[data-sheet]");
    const isBack = sheet ? startSheet(sheet, signal) : false;
    const wanted = ["[data-first]", "#reason[autofocus]", "[autofocus]"];
    if (["control-1", "see-nets"].includes(sent?.value)) wanted.unshift("[data-net]");
    const other = sheet && sent?.form.dataset.way && sent.form.dataset.way !== sheet.dataset.way;
    const blank = other && [...sheet.querySelectorAll("[data-key]")].find((input) => !input.value);
    const field = blank || wanted.map((each) => main.querySelector(each)).find(Boolean);
    field?.focus();
    if (field?.matches("input")) field.select();
    const isSame = sheet && sent?.form.dataset.sheet === sheet.dataset.sheet;
    return isBack || Boolean(sheet && "begun" in sheet.dataset && !isSame);
  });

  // What the server has taken needs no copy here any more: one deal, or all that was typed.
  function forgetSaved({ form, value }, redirected) {
    const key = form.dataset.sheet;
    if (!key || !redirected) return;
    const kept = store.read(key);
    const row = /^(?:row|withdraw)-(\d+)/.exec(value);
    if (!row || !kept) return store.forget(key);
    for (const name of Object.keys(kept.values)) if (name.endsWith(`-${row[1]}`)) delete kept.values[name];
    if (Object.values(kept.values).some(Boolean)) store.write(key, kept);
    else store.forget(key);
  }

  function startDesk(page, signal) {
    const field = document.getElementById("table");
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !field.value.trim()) event.preventDefault(); // one Enter too many asks for no table
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || field.value) return;
      const undo = page.querySelector("[data-undo]");
      if (!undo) return;
      event.preventDefault();
      undo.click();
    });
    showUnsaved(page);
    const timer = setInterval(async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(location.pathname, { signal });
        if (answer.ok && !answer.redirected) renew(await answer.text());
      } catch {
        /* the next turn will say */
      }
    }, 10000);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  // Names the sheets typed on this device and saved nowhere, each to be opened or cleared.
  function showUnsaved(page) {
    const box = page.querySelector("[data-unsaved]");
    const list = box.querySelector("ul");
    const pattern = box.querySelector("template");
    const keys = store.keys().filter((key) => key.startsWith(`${page.dataset.desk}-`));
    const numbers = keys.map((key) => Number(key.split("-").pop())).sort((a, b) => a - b);
    const words = box.querySelector("p");
    words.textContent = numbers.length === 1 ? words.dataset.one : words.dataset.many.replace("%s", numbers.length);
    list.replaceChildren();
    box.hidden = !numbers.length;
    for (const number of numbers) {
      const item = pattern.content.cloneNode(true);
      for (const word of item.querySelectorAll("[data-number]")) word.textContent = number;
      item.querySelector("a").href = location.pathname.replace(/saisie\/$/, `tables/${number}/?corriger=1`);
      item.querySelector("button").addEventListener("click", () => {
        store.forget(`${page.dataset.desk}-${number}`);
        showUnsaved(page);
        document.getElementById("table").focus();
      });
      list.append(item);
    }
  }

  function startSheet(form, signal) {
    const key = form.dataset.sheet;
    const inputs = () => [...form.querySelectorAll("[data-key]")];
    const rows = () => inputs().filter((input) => input.matches("[data-row]"));
    const nets = () => inputs().filter((input) => input.matches("[data-net]"));
    const fields = () => [...form.querySelectorAll("input:not([type=hidden]), select")];
    const undone = [];

    // The version each field was read from: that of its deal, or of the nets.
    const versions = () => {
      const found = [...form.querySelectorAll("[name^='id-'], [name='nets_version']")];
      return Object.fromEntries(found.map((field) => [field.name, field.value]));
    };
    const versionOf = (name) => {
      const row = /-(\d+)$/.exec(name);
      if (row) return `id-${row[1]}`;
      return /^(net|plus|minus)-/.test(name) ? "nets_version" : "";
    };
    const isTouched = (field) => {
      if (field.matches("select")) return !field.selectedOptions[0]?.defaultSelected;
      if ("fresh" in form.dataset || !field.matches("[data-key]")) return field.value !== field.defaultValue;
      const saved = form.elements.namedItem(field.name.replace(/^row-/, "was-")); // this page came with what was typed
      return field.value !== (saved?.value ?? "");
    };

    const keep = () => {
      const values = {};
      for (const field of fields()) if (isTouched(field)) values[field.name] = field.value;
      if (Object.values(values).some(Boolean)) store.write(key, { ids: versions(), way: form.dataset.way, values });
      else store.forget(key);
    };

    // Puts back what was typed here and saved nowhere; what was saved elsewhere meanwhile is only told.
    const restore = () => {
      const kept = store.read(key);
      if (!kept || !("fresh" in form.dataset)) return false;
      const now = versions();
      const elsewhere = [];
      let found = false;
      let lacking = false;
      for (const [name, value] of Object.entries(kept.values)) {
        const field = form.elements.namedItem(name);
        if (!field) lacking = lacking || Boolean(value);
        else if (value && field.value.toUpperCase() !== value.toUpperCase()) {
          if ((kept.ids[versionOf(name)] ?? "") === (now[versionOf(name)] ?? "")) {
            field.value = value;
            found = true;
          } else if (field.matches("[data-key]")) elsewhere.push(value);
        }
      }
      if (lacking && !found && kept.way !== form.dataset.way) {
        submit(`see-${kept.way}`);
        return false;
      }
      const said = form.querySelector("[data-restored]");
      said.querySelector("[data-back]").hidden = !found;
      said.querySelector("[data-elsewhere]").hidden = !elsewhere.length;
      said.querySelector("[data-typed]").textContent = elsewhere.join(" · ");
      said.hidden = !found && !elsewhere.length;
      keep();
      if (!found) return false;
      const blank = inputs().find((input) => !input.value.trim());
      for (const field of form.querySelectorAll("[autofocus]")) field.toggleAttribute("autofocus", !blank);
      blank?.setAttribute("autofocus", "");
      look();
      return true;
    };

    const submit = (value) => {
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
          const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), signal });
          const html = answer.ok ? await answer.text() : "";
          if (html && mine === turn) renew(html);
        } catch {
          /* without the server there is no preview; what is typed is kept here */
        }
      }, 150);
    };
    signal.addEventListener("abort", () => clearTimeout(timer));

    const go = (input) => {
      input.focus();
      input.select();
    };

    // All is typed, and what comes after stands as it was saved: nothing is left to visit.
    const isLastMissing = (input) => {
      const all = inputs();
      const after = all.slice(all.indexOf(input) + 1);
      const stands = (other) => other.value && other.value === other.defaultValue;
      return !form.querySelector("#reason") && input.value !== input.defaultValue && after.every(stands) && all.every((other) => other.value.trim());
    };

    const onward = (input) => {
      const value = input.value.trim();
      const all = inputs();
      const next = all[all.indexOf(input) + 1];
      undone.push([input, input.defaultValue]);
      if (value === "+" || value === "*") return submit("save");
      if (value === "/" && input.matches("[data-row]")) {
        for (const row of rows().slice(rows().indexOf(input))) if (!row.value.trim()) row.value = "/";
        look();
        return nets().length ? go(nets()[0]) : submit("save");
      }
      if (!value && input.matches("[data-row]")) return nets().length ? go(nets()[0]) : submit("see-nets");
      if (isLastMissing(input)) return submit("save");
      if (next) return go(next);
      const blank = (input.matches("[data-net]") ? nets() : rows()).find((other) => !other.value.trim());
      const reason = form.querySelector("#reason");
      if (blank) return go(blank);
      return reason && !reason.value.trim() ? go(reason) : submit("save");
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
        if (!event.repeat) onward(input);
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
        turning.turn(location.pathname);
      }
    });
    return restore();
  }
})();
