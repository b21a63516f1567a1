// The figures, the tables and the settings of the page.

import { answerQuestions, bestOf, fleet, perWorker, scoreOf } from "./questions.js";
import { brief, clock, count, decimal, duration, element, exact, part, percent, show } from "./text.js";
import { Workers } from "./workers.js";

const SHOWN_CHECKPOINTS = 6;
const workers = new Workers();

/** Shows everything but the charts. */
export function showFigures(run) {
  const { status } = run;
  const now = Date.now();
  workers.place(status.workers, now);
  answerQuestions(run, now + run.clockAhead);
  showNumbers(status, run);
  showFleet(status, run, now);
  showWork(status.work, run);
  workers.show(now);
  showPushes(status.pushes);
  showCheckpoints(run.checkpoints, status);
  showRollbacks(run.rollbacks);
  showSettings(status);
}

function showNumbers(status, run) {
  show("version", status.initialized ? exact(status.version) : "–");
  show("version-more", status.initialized ? `generation ${status.generation.slice(0, 8)}` : "steps applied");
  showBest(run);
  show("loss", decimal(status.loss ?? NaN));
  if (status.text) {
    showText(status, run);
  } else if (status.regression) {
    showRegression(status, run);
  } else if (status.labels) {
    showLabels(status, run);
  } else {
    showClasses(status, run);
  }
  show("staleness", status.version > 0 ? decimal(status.meanStaleness) : "–");
  show("staleness-more", `steps, ${count(status.worstStaleness)} at worst`);
}

/** Where versions are compared by a loss, the best is the smallest. */
function showBest(run) {
  const score = scoreOf(run);
  const best = bestOf(run.evaluations, score);
  show("best", best ? score.write(score.value(best)) : "–");
  show("best-more", best ? `version ${exact(best.version)}` : "not evaluated yet");
}

function showFleet(status, run, now) {
  const { mean, most } = fleet(run.points);
  const quiet = workers.quiet(now);
  show("workers", count(status.workers.length));
  const waiting = quiet > 0 ? `${count(quiet)} pushed nothing for 10 s` : `${Number.isFinite(mean) ? mean.toFixed(1) : "–"} on average, ${count(most)} at most`;
  show("workers-more", status.workers.length > 0 || most > 0 ? waiting : "registered");
  const { now: current, usual } = perWorker(run.points);
  show("each", brief(current));
  show("each-more", Number.isFinite(usual) ? `samples/s, median ${brief(usual)}` : "samples/s");
}

function showClasses(status, run) {
  show("loss-more", status.heldOutLoss === undefined ? "smoothed" : `held out ${decimal(status.heldOutLoss)}`);
  const newest = run.evaluations[run.evaluations.length - 1];
  const accuracy = status.accuracy ?? newest?.accuracy;
  show("accuracy-title", "Held-out accuracy");
  show("accuracy", percent(accuracy ?? NaN));
  // Where one class is rare, the share of right answers says little.
  const { auc, f1 } = status.binary ?? {};
  const more = f1 === undefined ? "" : `AUC ${decimal(auc ?? NaN)} · F1 ${decimal(f1)}`;
  const version = status.accuracyVersion ?? newest?.version;
  show("accuracy-more", accuracy === undefined ? "not evaluated yet" : more || `version ${exact(version)}`);
  showSamples(status, run);
}

/** Of a text, the loss says how good a version is, and not the share of tokens right. */
function showText(status, run) {
  const { tokensPerSample, bitsPerCharacter } = status.text;
  const perplexity = `perplexity ${decimal(Math.exp(status.heldOutLoss))}`;
  const samples = rate(run.points);
  show("loss-more", "smoothed");
  show("accuracy-title", "Held-out loss");
  show("accuracy", decimal(status.heldOutLoss));
  // The perplexity has a chart of its own.
  show("accuracy-more", bitsPerCharacter === undefined ? perplexity : `${decimal(bitsPerCharacter)} bits a character`);
  show("rate-title", "Tokens per second");
  show("rate", brief(samples * tokensPerSample));
  show("rate-more", `${brief(samples)} samples/s · ${brief(status.samples)} samples`);
}

/** Of predicted numbers, R² says how much of their spread is explained. */
function showRegression(status, run) {
  const { rmse, r2 } = status.regression;
  show("loss-more", `held out ${decimal(status.heldOutLoss)}`);
  show("accuracy-title", "Held-out R²");
  show("accuracy", decimal(r2 ?? NaN));
  show("accuracy-more", `errors of ${decimal(rmse)} (RMSE)`);
  showSamples(status, run);
}

/** Of several labels, F1 over all of them together: where most are no, the share of right ones says little. */
function showLabels(status, run) {
  const { microF1, macroF1, exactMatch, macroAuc } = status.labels;
  show("loss-more", `held out ${decimal(status.heldOutLoss)}`);
  show("accuracy-title", "Held-out micro F1");
  show("accuracy", decimal(microF1));
  show("accuracy-more", `macro F1 ${decimal(macroF1)} · AUC ${decimal(macroAuc ?? NaN)} · ${percent(exactMatch)} of the rows right`);
  showSamples(status, run);
}

function showSamples(status, run) {
  show("rate-title", "Samples per second");
  show("rate", brief(rate(run.points)));
  show("rate-more", status.initialized ? `${brief(status.samples)} samples` : "no samples yet");
}

/** The mean over the last seconds, so that the figure can be read. */
function rate(points) {
  const last = points[points.length - 1];
  if (!last) {
    return NaN;
  }
  const first = points.findLast((point) => last.timeMs - point.timeMs >= 4000) ?? points[0];
  const seconds = (last.timeMs - first.timeMs) / 1000;
  return seconds > 0 ? (last.samples - first.samples) / seconds : NaN;
}

function showWork(work, { points }) {
  const last = points[points.length - 1];
  show("trained", last ? duration(last.timeMs - points[0].timeMs) : "–");
  if (!work) {
    show("work-text", "No work is stated");
    show("work-share", "–");
    part("work-bar").value = 0;
    return;
  }
  const epoch = work.epochSamples > 0 ? work.samples / work.epochSamples : 0;
  const number = count(Math.min(work.epochs || Infinity, Math.floor(epoch) + 1));
  show("work-text", `${work.dataset}: epoch ${number}${work.epochs > 0 ? ` of ${count(work.epochs)}` : ", no last one is set"}`);
  const share = work.epochs > 0 ? epoch / work.epochs : epoch % 1;
  show("work-share", work.done ? "done" : `${percent(share, 0)}${work.epochs > 0 ? "" : " of the epoch"}`);
  part("work-bar").value = work.done ? 1 : Math.min(1, share);
}

function showPushes(pushes) {
  const known = Object.entries(pushes).sort(([, a], [, b]) => b - a);
  const total = known.reduce((sum, [, number]) => sum + number, 0);
  const rows = known.map(([outcome, number]) => {
    const item = element("li");
    const row = element("div", "row");
    row.append(element("span", "", outcome), element("span", "number", count(number)));
    const bar = element("progress");
    bar.max = total;
    bar.value = number;
    bar.setAttribute("aria-label", `Share of pushes with the outcome ${outcome}`);
    item.append(row, bar);
    return item;
  });
  part("pushes").replaceChildren(...(rows.length > 0 ? rows : [element("li", "quiet", "No gradient has come yet.")]));
}

function showCheckpoints(checkpoints, status) {
  const rows = checkpoints
    .slice(-SHOWN_CHECKPOINTS)
    .reverse()
    .map((taken) => {
      const row = element("tr");
      row.append(
        element("td", "right", exact(taken.number)),
        element("td", "right", exact(taken.version)),
        element("td", "right", clock(taken.timeMs)),
      );
      return row;
    });
  const none = status.durability === "none" ? "This run keeps none: ps.durability.mode is none." : "None is taken yet.";
  replace("checkpoint-rows", rows, 3, none);
}

function showRollbacks(rollbacks) {
  const last = rollbacks[rollbacks.length - 1];
  const earlier = rollbacks.length > 1 ? ` (${count(rollbacks.length)} so far)` : "";
  show("rollbacks", last ? `Rolled back from version ${exact(last.from)} to ${exact(last.version)} at ${clock(last.timeMs)}${earlier}.` : "");
}

function showSettings(status) {
  const rows = [
    ["Mode", status.synchronous ? `${status.mode}, synchronous` : status.mode],
    ["Optimizer", status.optimizer],
    ["Learning rate", decimal(status.learningRate)],
    ["Staleness rule", status.staleness],
    ["Parameters", status.initialized ? `${count(status.parameters)} in ${count(status.tensors)} tensors` : "none yet"],
    ["Kept by", status.durability],
    ["Up for", duration(status.uptimeMs)],
  ];
  const place = part("settings");
  if (place.childElementCount !== 2 * rows.length) {
    place.replaceChildren(...rows.flatMap(([name]) => [element("dt", "", name), element("dd")]));
  }
  rows.forEach(([, value], i) => show(place.children[2 * i + 1], value));
}

function replace(id, rows, columns, none) {
  if (rows.length === 0) {
    const row = element("tr");
    const cell = element("td", "quiet", none);
    cell.colSpan = columns;
    row.append(cell);
    rows = [row];
  }
  part(id).replaceChildren(...rows);
}
