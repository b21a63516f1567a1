// The answer: the most probable class, a bar for each, and what earlier versions said about the same picture or text.

import { count, element, exact, part, percent, show } from "./text.js";

const MOST_ROWS = 10;
const MOST_VERSIONS = 24;
const QUIET_MS = 1500;

export class Answer {
  #names = new Map();
  #told = "";
  #classes = 0;
  #versions = [];
  #spoken = "";
  #spokenAt = 0;

  /** Forgets the versions' answers: they were about another picture, text or row. */
  begin() {
    this.#versions = [];
    part("versions").replaceChildren();
    part("amounts").replaceChildren();
  }

  /** Shows that there is nothing to answer, and what to do. */
  none(hint) {
    this.begin();
    show("best", "–");
    show("best-more", hint);
    part("bars").querySelectorAll("li").forEach((row) => fill(row, NaN, false));
    const seen = part("seen");
    seen.getContext("2d").clearRect(0, 0, seen.width, seen.height);
  }

  /** Forgets the names of the classes: another network has others. */
  otherNetwork() {
    this.#names.clear();
    this.#told = "";
    part("bars").replaceChildren();
  }

  /** Takes the names of all classes, where the service tells them. */
  call(names) {
    const told = JSON.stringify(names);
    if (names.length === 0 || told === this.#told) {
      return;
    }
    this.#told = told;
    this.#names = new Map(names.entries());
    if (this.#classes <= MOST_ROWS) {
      [...part("bars").children].forEach((line, i) => show(line.children[0], this.#name(i)));
    }
  }

  /** Makes empty rows for the classes of a network, so that the first answer moves nothing. */
  expect(classes) {
    this.#classes = classes;
    const place = part("bars");
    const rows = Math.min(classes, MOST_ROWS);
    if (place.childElementCount !== rows) {
      place.replaceChildren(...Array.from({ length: rows }, (_, i) => row(classes <= MOST_ROWS ? this.#name(i) : "–")));
    }
  }

  /** Shows an answer of the service. */
  show(reply) {
    if (reply.predictions[0].value !== undefined) {
      this.#showAmount(reply, reply.predictions[0]);
      return;
    }
    if (reply.predictions[0].labels) {
      this.#showLabels(reply, Object.entries(reply.predictions[0].labels));
      return;
    }
    const { label, class: best, probabilities } = reply.predictions[0];
    this.#names.set(best, label);
    this.expect(probabilities.length);
    const order = probabilities.map((share, index) => ({ share, index }));
    if (probabilities.length > MOST_ROWS) {
      order.sort((a, b) => b.share - a.share);
    }
    [...part("bars").children].forEach((line, i) => {
      const { share, index } = order[i];
      show(line.children[0], this.#name(index));
      fill(line, share, index === best);
    });
    show("best", label);
    show("best-more", `with a probability of ${percent(probabilities[best], 1)}`);
    this.#facts(reply);
    this.#remember(reply, label, probabilities[best]);
    this.#say(`${label}, ${percent(probabilities[best], 0)}, by version ${exact(reply.version)}`, label);
  }

  /** Shows a predicted number, above those of earlier versions. */
  #showAmount(reply, { target, value }) {
    show("best", amount(value));
    show("best-more", target ?? "the predicted number");
    this.#facts(reply);
    this.#keep({ version: reply.version, generation: reply.generation, value });
    part("amounts").replaceChildren(
      ...[...this.#versions].reverse().map((one) => {
        const line = element("li");
        line.append(element("span", "quiet", `Version ${exact(one.version)}`), element("span", "", amount(one.value)));
        return line;
      }),
    );
    this.#say(`${amount(value)} by version ${exact(reply.version)}`, amount(value));
  }

  /** Shows how probable each label is, the most probable ones of many. */
  #showLabels(reply, labels) {
    this.expect(labels.length);
    if (labels.length > MOST_ROWS) {
      labels.sort(([, a], [, b]) => b.probability - a.probability);
    }
    [...part("bars").children].forEach((line, i) => {
      const [name, { probability, yes }] = labels[i];
      show(line.children[0], name);
      fill(line, probability, yes);
    });
    const found = labels.filter(([, { yes }]) => yes).map(([name]) => name);
    const text = found.length === 0 ? "none" : found.join(", ");
    show("best", text);
    show("best-more", `${count(found.length)} of ${count(labels.length)} labels are more probable than not`);
    this.#facts(reply);
    this.#say(`${text}, by version ${exact(reply.version)}`, text);
  }

  #name(index) {
    return this.#names.get(index) ?? (this.#hasNumbers() ? String(index) : `class ${index}`);
  }

  /** Tells whether the classes known so far are named by their numbers, as digits are. */
  #hasNumbers() {
    return [...this.#names].every(([index, name]) => name === String(index));
  }

  #facts(reply) {
    show("version", exact(reply.version));
    show("generation", reply.generation);
    const other = reply.accuracyVersion !== reply.version ? ` (version ${exact(reply.accuracyVersion)})` : "";
    if (reply.predictions[0].probabilities) {
      show("accuracy", reply.accuracy === undefined ? "not evaluated yet" : `${percent(reply.accuracy)}${other}`);
    }
  }

  #remember(reply, label, share) {
    this.#keep({ version: reply.version, generation: reply.generation, label, share });
    part("versions").replaceChildren(...this.#versions.map(column));
  }

  #keep(now) {
    const last = this.#versions[this.#versions.length - 1];
    if (last && last.version === now.version && last.generation === now.generation) {
      this.#versions[this.#versions.length - 1] = now;
    } else {
      this.#versions.push(now);
    }
    this.#versions = this.#versions.slice(-MOST_VERSIONS);
  }

  /** Tells people who do not see the bars; not at each stroke. */
  #say(text, label) {
    const now = performance.now();
    if (label !== this.#spoken || now - this.#spokenAt > 10 * QUIET_MS) {
      this.#spoken = label;
      this.#spokenAt = now;
      show("spoken", text);
    }
  }
}

/** Six digits, as many as matter of a price or a share. */
function amount(value) {
  return value.toLocaleString(undefined, { maximumSignificantDigits: 6 });
}

function row(name) {
  const made = element("li");
  const track = element("div", "track");
  track.setAttribute("aria-hidden", "true");
  track.append(element("div", "bar"));
  made.append(element("span", "name", name), track, element("span", "share", "–"));
  return made;
}

function fill(line, share, isBest) {
  line.classList.toggle("first", isBest);
  line.querySelector(".bar").style.setProperty("--share", Number.isFinite(share) ? share : 0);
  show(line.querySelector(".share"), percent(share, 1));
}

function column({ version, label, share }) {
  const made = element("li");
  const bar = element("div", "column");
  bar.style.setProperty("--share", share);
  made.title = `version ${exact(version)}: ${label}, ${percent(share, 1)}`;
  const said = element("span", "unseen", `version ${exact(version)}: ${label}, ${percent(share, 1)}`);
  const shown = element("span", "", label.slice(0, 2));
  shown.setAttribute("aria-hidden", "true");
  made.append(shown, bar, said);
  return made;
}
