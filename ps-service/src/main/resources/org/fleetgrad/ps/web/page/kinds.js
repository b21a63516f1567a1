// The kinds of charts: what their lines are, and how their values are written.

import { brief, decimal, percent } from "./text.js";

const LOSS = {
  id: "loss",
  name: "Loss",
  none: "no steps yet",
  lines: [
    { label: "Training", colour: "--accent", of: "points", value: (point) => point.loss },
    { label: "Held out", colour: "--second", of: "evaluations", value: (point) => point.loss, dots: true },
  ],
  write: decimal,
  // Its fall is the point of it.
  beginning: 0.1,
};

const ACCURACY = {
  id: "accuracy",
  name: "Held-out accuracy",
  none: "nothing evaluated yet",
  lines: [
    { label: "Top 1", colour: "--accent", of: "evaluations", value: (point) => point.accuracy, dots: true },
    { label: "Top 5", colour: "--second", of: "evaluations", value: (point) => point.accuracyTop5 },
  ],
  write: percent,
  isShare: true,
  beginning: 0.25,
  ceiling: 1,
};

/** Takes the place of the accuracy: of a text, most tokens are predicted wrongly even by a good model. */
const PERPLEXITY = {
  ...ACCURACY,
  name: "Held-out perplexity",
  lines: [{ label: "Perplexity", colour: "--second", of: "evaluations", value: (point) => Math.exp(point.loss), dots: true }],
  write: decimal,
  isShare: false,
  ceiling: undefined,
};

/** Takes the place of the accuracy where numbers or labels are predicted: on a scale of its own, without the training's. */
const HELD_OUT_LOSS = {
  ...ACCURACY,
  name: "Held-out loss",
  lines: [{ label: "Loss", colour: "--second", of: "evaluations", value: (point) => point.loss, dots: true }],
  write: decimal,
  isShare: false,
  ceiling: undefined,
};

/** Samples, or the tokens that are predicted of them. */
function rate(name, label, ofEach) {
  return {
    id: "rate",
    name,
    none: "no steps yet",
    lines: [{ label, colour: "--accent", of: "rates", value: (point) => point.rate * ofEach, band: true }],
    write: brief,
    floor: 0,
  };
}

const STALENESS = {
  id: "staleness",
  name: "Staleness of gradients in steps",
  none: "no steps yet",
  lines: [{ label: "Mean steps", colour: "--accent", of: "points", value: (point) => point.staleness, band: true }],
  write: decimal,
  floor: 0,
  atLeast: 1,
};

/** Returns a chart with the held-out curve of an earlier run beside that of this one, if it has such a curve. */
export function beside(chart) {
  const live = chart.lines.find(({ of }) => of === "evaluations");
  return live ? { ...chart, lines: [...chart.lines, { label: "Earlier run", colour: "--quiet", of: "earlier", value: live.value }] } : chart;
}

/** The charts of a run; of a text, samples have `tokens` tokens each, which else are 0. */
export function charts(tokens, hasLossOnly) {
  return tokens === 0
    ? [LOSS, hasLossOnly ? HELD_OUT_LOSS : ACCURACY, rate("Samples per second", "Samples/s", 1), STALENESS]
    : [LOSS, PERPLEXITY, rate("Tokens per second", "Tokens/s", tokens), STALENESS];
}
