// The figures, the tables and the settings of the page.

import { brief, clock, count, decimal, duration, element, part, percent, show } from "./text.js";

const SHOWN_CHECKPOINTS = 6;

/** Shows everything but the charts. */
export function showFigures(run) {
  const { status } = run;
  showNumbers(status, run);
  showWork(status.work);
  showWorkers(status.workers);
  showPushes(status.pushes);
  showCheckpoints(run.checkpoints, status);
  showSettings(status);
}

function showNumbers(status, run) {
  show("version", status.initialized ? brief(status.version) : "–");
  show("version-more", status.initialized ? `generation ${status.generation.slice(0, 8)}` : "steps applied");
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
  show("workers", count(status.workers.length));
  const busy = status.workers.filter((worker) => worker.shard).length;
  show("workers-more", busy > 0 ? `${count(busy)} with a shard` : "registered");
  show("staleness", status.version > 0 ? decimal(status.meanStaleness) : "–");
  show("staleness-more", `worst ${count(status.worstStaleness)} steps`);
}

function showClasses(status, run) {
  show("loss-more", status.heldOutLoss === undefined ? "smoothed" : `held out ${decimal(status.heldOutLoss)}`);
  const newest = run.evaluations[run.evaluations.length - 1];
  const accuracy = status.accuracy ?? newest?.accuracy;
  const best = Math.max(...run.evaluations.map((point) => point.accuracy), accuracy ?? -1);
  show("accuracy-title", "Held-out accuracy");
  show("accuracy", percent(accuracy ?? NaN));
  // Where one class is rare, the share of right answers says little.
  const { auc, f1 } = status.binary ?? {};
  const more = f1 === undefined ? "" : ` · AUC ${decimal(auc ?? NaN)} · F1 ${decimal(f1)}`;
  show("accuracy-more", accuracy === undefined ? "not evaluated yet" : `best ${percent(best)}${more}`);
  showSamples(status, run);
}

/** Of a text, the loss says how good a version is, and not the share of tokens right. */
function showText(status, run) {
  const { tokensPerSample, bitsPerCharacter } = status.text;
  const best = Math.min(...run.evaluations.map((point) => point.loss ?? Infinity), status.heldOutLoss);
  const perplexity = `perplexity ${decimal(Math.exp(status.heldOutLoss))}`;
  const samples = rate(run.points);
  show("loss-more", `held out at best ${decimal(best)}`);
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

function showWork(work) {
  if (!work) {
    show("work-text", "No work is stated");
    show("work-share", "–");
    part("work-bar").value = 0;
    return;
  }
  const epoch = work.epochSamples > 0 ? work.samples / work.epochSamples : 0;
  if (work.epochs > 0) {
    show("work-text", `${work.dataset}: epoch ${count(Math.min(work.epochs, Math.floor(epoch) + 1))} of ${count(work.epochs)}`);
  } else {
    show("work-text", `${work.dataset}: epoch ${count(Math.floor(epoch) + 1)}, without an end`);
  }
  const share = work.epochs > 0 ? epoch / work.epochs : epoch % 1;
  show("work-share", work.done ? "done" : `${percent(share, 0)}${work.epochs > 0 ? "" : " of the epoch"}`);
  part("work-bar").value = Math.min(1, share);
}

function showWorkers(workers) {
  const rows = workers.map((worker) => {
    const row = element("tr");
    const name = element("td");
    name.append(element("div", "id", worker.id), element("div", "about", worker.description));
    row.append(
      name,
      element("td", "", worker.device),
      element("td", "right", count(worker.applied)),
      shard(worker.shard),
      element("td", "right", duration(worker.leaseMs)),
      element("td", "right", worker.deadlineMs === undefined ? "none" : duration(worker.deadlineMs)),
    );
    return row;
  });
  replace("worker-rows", rows, 6, "No worker is registered.");
}

function shard(held) {
  const cell = element("td");
  if (!held) {
    cell.append(element("span", "quiet", "none"));
    return cell;
  }
  const bar = element("progress");
  bar.max = held.samples;
  bar.value = held.done;
  bar.setAttribute("aria-label", "Share of the shard that is done");
  cell.append(bar, `${held.shard} in epoch ${count(held.epoch + 1)}`);
  return cell;
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
        element("td", "right", count(taken.number)),
        element("td", "right", count(taken.version)),
        element("td", "right", clock(taken.timeMs)),
      );
      return row;
    });
  const none = status.durability === "none" ? "This run keeps none: ps.durability.mode is none." : "None is taken yet.";
  replace("checkpoint-rows", rows, 3, none);
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
