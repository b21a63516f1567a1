// The three questions of somebody who looks for a moment: is it learning, are the workers used, when is it done. Each answer says only
// what the course of the run has.

import { clock, count, decimal, duration, exact, part, percent, show } from "./text.js";

const SILENT_MS = 10000;
const WINDOWS = 8;
const SHORTEST_PART_MS = 15000;
const WINDOW_MS = 10000;
const MOST_WINDOWS = 120;
const FEWEST_WINDOWS = 6;
/** Beyond this, an estimate says nothing. */
const WIDEST = 4;

const YES = "good";
const NO = "warn";
const OPEN = "open";

/** Answers the three questions. */
export function answerQuestions(run, now) {
  say("learning", learning(run, now));
  say("using", using(run, now));
  say("end", end(run, now));
}

function say(id, { state, text }) {
  part(id).dataset.state = state;
  show(id, text);
}

/** Tells by what versions are compared: a share where more is better, or a loss. */
export function scoreOf({ status }) {
  const isLoss = Boolean(status.text ?? status.regression ?? status.labels);
  return isLoss
    ? { value: (point) => point.loss, write: decimal, isBetter: (a, b) => a < b, gain: (from, to) => `by ${decimal(from - to)}` }
    : { value: (point) => point.accuracy, write: percent, isBetter: (a, b) => a > b, gain: (from, to) => `by ${(100 * (to - from)).toFixed(2)} points` };
}

/** Returns the best evaluation, or undefined. */
export function bestOf(evaluations, { value, isBetter }) {
  return evaluations.filter((point) => Number.isFinite(value(point))).reduce((best, point) => (best && !isBetter(value(point), value(best)) ? best : point), undefined);
}

function learning(run, now) {
  const score = scoreOf(run);
  const known = run.evaluations.filter((point) => Number.isFinite(score.value(point)));
  if (known.length === 0) {
    return byLoss(run);
  }
  const last = known[known.length - 1];
  const best = bestOf(known, score);
  if (known.length < 4) {
    return { state: OPEN, text: `Too early to say: ${count(known.length)} evaluated so far` };
  }
  const from = last.timeMs - (last.timeMs - known[0].timeMs) / 4;
  const before = bestOf(known.filter((point) => point.timeMs < from), score);
  const since = duration(last.timeMs - from);
  if (score.isBetter(score.value(best), score.value(before))) {
    return { state: YES, text: `Yes: the best got better ${score.gain(score.value(before), score.value(best))} in the last ${since}` };
  }
  const age = duration((run.status.work?.done ? last.timeMs : now) - best.timeMs);
  return { state: run.status.work?.done ? OPEN : NO, text: `Not any more: nothing was better than version ${exact(best.version)} for ${age}` };
}

/** Before anything is evaluated, the training loss is all there is. */
function byLoss({ points, status }) {
  const known = points.filter((point) => Number.isFinite(point.loss));
  if (known.length < 8) {
    return { state: OPEN, text: status.initialized ? "Too early to say" : "It has not begun" };
  }
  const first = known[0].loss;
  const last = known[known.length - 1].loss;
  const quarter = known[Math.floor((3 * known.length) / 4)].loss;
  const state = last < quarter ? YES : NO;
  const text = `the training loss went from ${decimal(first)} to ${decimal(last)}; nothing is evaluated yet`;
  return { state, text: `${state === YES ? "It seems so" : "It seems not"}: ${text}` };
}

/** Returns the share of pushes whose gradient counts. */
export function countedShare(pushes) {
  const all = Object.values(pushes).reduce((sum, number) => sum + number, 0);
  const counted = ["applied", "buffered", "duplicate", "staged"].reduce((sum, outcome) => sum + (pushes[outcome] ?? 0), 0);
  return all > 0 ? counted / all : NaN;
}

/** Returns the milliseconds since the last sample came. */
function silence(points, now) {
  const last = points[points.length - 1];
  const moved = last && (points.findLast((point) => point.samples < last.samples) ?? points[0]);
  // It moved at the first point that has as many samples as the last one.
  const at = moved && points[points.indexOf(moved) + 1];
  return at ? now - at.timeMs : 0;
}

/**
 * Returns samples a second and worker: of the newest window of ten seconds or more, and the median of all windows, which needs a few. The
 * time in which the server was down does not count.
 */
export function perWorker(points) {
  const length = Math.max(WINDOW_MS, ((points.at(-1)?.timeMs ?? 0) - (points[0]?.timeMs ?? 0)) / MOST_WINDOWS);
  const known = [];
  let end = points.at(-1);
  let samples = 0;
  let held = 0;
  for (let i = points.length - 1; i > 0; i--) {
    const [before, point] = [points[i - 1], points[i]];
    if (Number.isFinite(point.samplesPerSecond)) {
      samples += point.samples - before.samples;
      held += point.workers * (point.timeMs - before.timeMs);
    }
    if (end.timeMs - before.timeMs >= length) {
      known.push((1000 * samples) / held);
      end = before;
      samples = 0;
      held = 0;
    }
  }
  const sorted = known.filter(Number.isFinite).sort((a, b) => a - b);
  return { now: known.length > 0 ? known[0] : (1000 * samples) / held, usual: sorted.length < FEWEST_WINDOWS ? NaN : sorted[Math.floor(sorted.length / 2)] };
}

/** Returns how many workers there were on average, and at most; the time in which the server was down does not count. */
export function fleet(points) {
  let time = 0;
  let held = 0;
  let most = 0;
  points.forEach((point, i) => {
    most = Math.max(most, point.workers);
    if (i > 0 && Number.isFinite(point.samplesPerSecond)) {
      time += point.timeMs - points[i - 1].timeMs;
      held += point.workers * (point.timeMs - points[i - 1].timeMs);
    }
  });
  return { mean: time > 0 ? held / time : NaN, most };
}

function using(run, now) {
  const { status, points } = run;
  const alive = status.workers.length;
  if (status.work?.done) {
    return { state: OPEN, text: "The work is done" };
  }
  if (alive === 0) {
    return { state: status.initialized ? NO : OPEN, text: "No worker is here" };
  }
  const silent = silence(points, now);
  if (silent > SILENT_MS) {
    return { state: NO, text: `No: no sample has come for ${duration(silent)}` };
  }
  const counted = countedShare(status.pushes);
  if (counted < 0.9) {
    return { state: NO, text: `In part: ${percent(1 - counted, 0)} of the gradients were computed for nothing` };
  }
  const { now: current, usual } = perWorker(points);
  if (current < 0.6 * usual) {
    return { state: NO, text: `Less than usual: ${count(current)} samples/s a worker, the median is ${count(usual)}` };
  }
  return Number.isFinite(counted)
    ? { state: YES, text: `Yes: ${percent(counted, 1)} of the gradients counted` }
    : { state: OPEN, text: "Too early to say" };
}

function end(run, now) {
  const { work } = run.status;
  if (!work) {
    return { state: OPEN, text: "Unknown: no work is stated" };
  }
  if (work.done) {
    return { state: YES, text: "It is done" };
  }
  if (work.epochs === 0) {
    return { state: OPEN, text: "When somebody stops it" };
  }
  const left = timeLeft(run.points, work.epochs * work.epochSamples - work.samples);
  if (!left || silence(run.points, now) > SILENT_MS) {
    return { state: OPEN, text: left ? "Unknown: no samples come" : "Too early to say" };
  }
  const at = clock(Date.now() + left.likely);
  return { state: YES, text: `In about ${rough(left.likely)}, at ${at.slice(0, 5)} (${between(left)})` };
}

/**
 * Returns the milliseconds until `samples` more have come, as the rates of the last third of the run say: by their mean, and by the mean
 * plus and minus two standard errors of its parts. Null if there are too few, or they differ too much.
 */
export function timeLeft(points, samples) {
  const last = points[points.length - 1];
  if (!last || last.timeMs - points[0].timeMs < SHORTEST_PART_MS) {
    return null;
  }
  const span = Math.max(SHORTEST_PART_MS, (last.timeMs - points[0].timeMs) / 3);
  const rates = [];
  let from = points.findLast((point) => point.timeMs <= last.timeMs - span) ?? points[0];
  const begin = from;
  for (const point of points) {
    if (point.timeMs - from.timeMs >= span / WINDOWS) {
      rates.push((point.samples - from.samples) / (point.timeMs - from.timeMs));
      from = point;
    }
  }
  const rate = (last.samples - begin.samples) / (last.timeMs - begin.timeMs);
  const variance = mean(rates.map((one) => (one - rate) ** 2));
  const error = 2 * Math.sqrt(variance / rates.length);
  if (rates.length < 4 || rate <= 0 || (rate + error) / (rate - error) > WIDEST || error >= rate) {
    return null;
  }
  return { likely: samples / rate, soonest: samples / (rate + error), latest: samples / (rate - error) };
}

function mean(values) {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Writes a time without digits that nobody knows. */
function rough(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) {
    return `${Math.max(1, seconds)} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : duration(60000 * minutes);
}

function between({ soonest, latest }) {
  const [from, to] = [rough(soonest), rough(latest)];
  return from === to ? "quite sure" : `${from} to ${to}`;
}
