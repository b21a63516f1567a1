// How good versions are on real requests: by the labels that came later, and by what the shadow computed beside the answers.

import { count, decimal, element, exact, part, percent, show } from "./text.js";

const PAUSE_MS = 5000;
const PATIENCE_MS = 5000;
const MOST_ROWS = 6;

export class Quality {
  #session;
  #lookedAt = 0;

  constructor(session) {
    this.#session = session;
  }

  /** Asks now and then; shows nothing where there are no labels and no shadow. */
  async look() {
    const now = performance.now();
    if (document.hidden || (this.#lookedAt > 0 && now - this.#lookedAt < PAUSE_MS)) {
      return;
    }
    this.#lookedAt = now;
    try {
      const [feedback, shadow] = await Promise.all([this.#get("/feedback"), this.#get("/shadow")]);
      showLive(feedback);
      showShadow(shadow);
      part("quality").hidden = part("live-part").hidden && part("shadow-part").hidden;
    } catch {
      // The page's own request says that the service is away.
    }
  }

  async #get(path) {
    const answer = await this.#session.send(path, { patienceMs: PATIENCE_MS });
    return answer.ok ? answer.json() : null;
  }
}

function showLive(feedback) {
  const versions = feedback?.versions ?? [];
  part("live-part").hidden = versions.length === 0;
  if (versions.length === 0) {
    return;
  }
  const hasNumbers = versions[0].live.mae !== undefined;
  show("live-title", hasNumbers ? "Mean error" : "Live accuracy");
  show("held-title", hasNumbers ? "Loss" : "Held out");
  const interval = hasNumbers ? "" : ", with the interval that has the true value in 95 % of cases";
  show("live-text", `By ${count(feedback.counted)} labels that came after the answers${interval}.`);
  const newest = [...versions].sort((a, b) => b.version - a.version).slice(0, MOST_ROWS);
  part("live-rows").replaceChildren(...newest.map((one) => live(one, hasNumbers)));
}

function live({ version, live: figures, accuracy, loss }, hasNumbers) {
  const row = element("tr");
  const cell = element("td", "live", hasNumbers ? decimal(figures.mae) : percent(figures.accuracy, 1));
  if (!hasNumbers) {
    cell.append(element("span", "quiet small", ` ${percent(figures.low, 0)} to ${percent(figures.high, 0)}`));
  }
  const held = hasNumbers ? decimal(loss ?? NaN) : percent(accuracy ?? NaN, 1);
  row.append(element("td", "", exact(version)), cell, element("td", "right", count(figures.samples)), element("td", "right", held));
  return row;
}

function showShadow(shadow) {
  part("shadow-part").hidden = !(shadow?.share > 0);
  if (!(shadow?.share > 0)) {
    return;
  }
  const { samples, differing, pairs, share } = shadow;
  const hasNumbers = pairs.some((pair) => pair.difference !== undefined);
  const found = hasNumbers
    ? `${count(samples)} samples were compared so far.`
    : `It disagreed on ${percent(differing / samples, 1)} of ${count(samples)} samples.`;
  const about = `The newest version computes ${percent(share, 0)} of the requests unseen, beside the one that answers.`;
  show("shadow-text", `${about} ${samples > 0 ? found : "It has compared nothing yet."}`);
  show("differ-title", hasNumbers ? "Mean difference" : "Differ");
  part("shadow-table").hidden = pairs.length === 0;
  part("shadow-rows").replaceChildren(...pairs.slice(-MOST_ROWS).reverse().map(compared));
}

function compared({ served, shadow, samples, disagreement, difference }) {
  const row = element("tr");
  row.append(
    element("td", "", exact(served.version)),
    element("td", "", exact(shadow.version)),
    element("td", "right", count(samples)),
    element("td", "right", difference === undefined ? percent(disagreement, 1) : decimal(difference)),
  );
  return row;
}
