// The charts: loss, accuracy, samples per second and staleness, against steps or time; of a text perplexity and tokens,
// of numbers and of several labels the held-out loss alone.

import { brief, count, decimal, duration, part, percent } from "./text.js";

const HEIGHT = 220;
const RATE_MS = 2000;

const LOSS = {
  id: "loss",
  name: "Loss",
  none: "no steps yet",
  lines: [
    { label: "Training", colour: "--accent", of: "points", value: (point) => point.loss },
    { label: "Held out", colour: "--second", of: "evaluations", value: (point) => point.loss, dots: true },
  ],
  write: decimal,
  floor: null,
};

const ACCURACY = {
  id: "accuracy",
  name: "Held-out accuracy",
  none: "nothing evaluated yet",
  lines: [
    { label: "Top 1", colour: "--accent", of: "evaluations", value: (point) => point.accuracy, dots: true },
    { label: "Top 5", colour: "--second", of: "evaluations", value: (point) => point.accuracyTop5 },
  ],
  write: (value) => percent(value, 1),
  floor: null,
  ceiling: 1,
};

/** Takes the place of the accuracy: of a text, most tokens are predicted wrongly even by a good model. */
const PERPLEXITY = {
  ...ACCURACY,
  name: "Held-out perplexity",
  lines: [{ label: "Perplexity", colour: "--second", of: "evaluations", value: (point) => Math.exp(point.loss), dots: true }],
  write: decimal,
  ceiling: undefined,
};

/** Takes the place of the accuracy where numbers or labels are predicted: on a scale of its own, without the training's. */
const HELD_OUT_LOSS = {
  ...ACCURACY,
  name: "Held-out loss",
  lines: [{ label: "Loss", colour: "--second", of: "evaluations", value: (point) => point.loss, dots: true }],
  write: decimal,
  ceiling: undefined,
};

/** Samples, or the tokens that are predicted of them. */
function rate(name, label, ofEach) {
  return {
    id: "rate",
    name,
    none: "no steps yet",
    lines: [{ label, colour: "--accent", of: "rates", value: (point) => point.rate * ofEach, fill: true }],
    write: brief,
    floor: 0,
  };
}

const STALENESS = {
  id: "staleness",
  name: "Staleness of gradients in steps",
  none: "no steps yet",
  lines: [{ label: "Mean steps", colour: "--accent", of: "points", value: (point) => point.staleness, fill: true }],
  write: decimal,
  floor: 0,
  atLeast: 1,
};

/** The charts of a run; of a text, samples have `tokens` tokens each, which else are 0. */
function charts(tokens, hasLossOnly) {
  return tokens === 0
    ? [LOSS, hasLossOnly ? HELD_OUT_LOSS : ACCURACY, rate("Samples per second", "Samples/s", 1), STALENESS]
    : [LOSS, PERPLEXITY, rate("Tokens per second", "Tokens/s", tokens), STALENESS];
}

/** All charts of the page; they share the horizontal axis. */
export class Charts {
  #drawn = new Map();
  #axis = "steps";
  #run = null;
  #said = 0;
  #tokens = 0;
  #hasLossOnly = false;
  #charts = charts(0, false);

  constructor() {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
    const resized = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        this.#drawn.get(target.id)?.setSize({ width: target.clientWidth, height: HEIGHT });
      }
    });
    this.#charts.forEach((chart) => resized.observe(part(`chart-${chart.id}`)));
  }

  /** Draws against steps or against time. */
  setAxis(axis) {
    this.#axis = axis;
    this.#redraw();
  }

  /** Draws what is known now. */
  draw(run) {
    this.#run = run;
    this.#choose(run.status?.text?.tokensPerSample ?? 0, Boolean(run.status?.regression ?? run.status?.labels));
    const begin = run.points[0]?.timeMs ?? run.evaluations[0]?.timeMs ?? 0;
    // Words for people who do not see the charts; often enough, and not at each frame.
    const isSaying = performance.now() - this.#said > 2000;
    for (const chart of this.#charts) {
      const data = this.#data(chart, run, begin);
      const place = part(`chart-${chart.id}`);
      const isEmpty = data[0].length === 0;
      if (isEmpty) {
        place.dataset.empty = chart.none[0].toUpperCase() + chart.none.slice(1);
      } else {
        delete place.dataset.empty;
      }
      this.#show(chart, place, data);
      if (isSaying) {
        place.setAttribute("aria-label", describe(chart, data, this.#axis));
        this.#said = performance.now();
      }
    }
  }

  /** The first evaluation says whether the run is of a text, of numbers or of labels. */
  #choose(tokens, hasLossOnly) {
    if (tokens === this.#tokens && hasLossOnly === this.#hasLossOnly) {
      return;
    }
    this.#tokens = tokens;
    this.#hasLossOnly = hasLossOnly;
    this.#charts = charts(tokens, hasLossOnly);
    this.#clear();
    for (const { id, name } of this.#charts) {
      const title = part(`chart-${id}`).closest("figure").querySelector("h2");
      title.textContent = name;
    }
  }

  #data(chart, run, begin) {
    const x = this.#axis === "steps" ? (point) => point.version : (point) => (point.timeMs - begin) / 1000;
    const tables = chart.lines.map((line) => {
      const known = (line.of === "rates" ? rates(run.points) : run[line.of]).filter((point) => Number.isFinite(line.value(point)));
      const sorted = line.of === "evaluations" ? known.toSorted((a, b) => x(a) - x(b)) : known;
      return [sorted.map(x), sorted.map(line.value)];
    });
    const lines = tables.map(([xs, ys]) => lastOfEach(xs, ys));
    return lines.length === 1 ? lines[0] : uPlot.join(lines);
  }

  #show(chart, place, data) {
    const shown = this.#drawn.get(place.id);
    if (shown) {
      shown.setData(data);
    } else {
      this.#drawn.set(place.id, new uPlot(options(chart, place.clientWidth, this.#axis), data, place));
    }
  }

  #clear() {
    this.#drawn.forEach((chart) => chart.destroy());
    this.#drawn.clear();
    this.#said = 0;
  }

  #redraw() {
    this.#clear();
    if (this.#run) {
      this.draw(this.#run);
    }
  }
}

/** Several points may have one version: while nothing is trained, time goes on. The last one counts. */
function lastOfEach(xs, ys) {
  const keptX = [];
  const keptY = [];
  xs.forEach((x, i) => {
    if (xs[i + 1] !== x) {
      keptX.push(x);
      keptY.push(ys[i]);
    }
  });
  return [keptX, keptY];
}

/**
 * Returns the rate at each point as a mean over two seconds: single points are so near that a step more or less is a peak. A
 * mean does not reach over a start of the server.
 */
function rates(points) {
  let begin = 0;
  return points.map((point, i) => {
    if (!Number.isFinite(point.samplesPerSecond)) {
      begin = i;
    }
    while (begin + 1 < i && point.timeMs - points[begin + 1].timeMs >= RATE_MS) {
      begin++;
    }
    const seconds = (point.timeMs - points[begin].timeMs) / 1000;
    return { ...point, rate: seconds > 0 ? (point.samples - points[begin].samples) / seconds : NaN };
  });
}

function describe(chart, data, axis) {
  const unit = axis === "steps" ? (value) => `step ${count(value)}` : (value) => duration(1000 * value);
  const parts = chart.lines.flatMap((line, i) => {
    const known = data[0].map((x, j) => [x, data[i + 1]?.[j]]).filter(([, y]) => Number.isFinite(y));
    if (known.length === 0) {
      return [];
    }
    const [firstX, firstY] = known[0];
    const [lastX, lastY] = known[known.length - 1];
    const name = chart.lines.length > 1 ? `${line.label.toLowerCase()} ` : "";
    return [`${name}from ${chart.write(firstY)} at ${unit(firstX)} to ${chart.write(lastY)} at ${unit(lastX)}`];
  });
  return `${chart.name}: ${parts.length > 0 ? parts.join("; ") : chart.none}`;
}

function options(chart, width, axis) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const line = {
    stroke: colour("--quiet"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { show: false },
  };
  const writeX = axis === "steps" ? count : (value) => duration(1000 * value);
  return {
    width,
    height: HEIGHT,
    legend: { markers: { width: 0, fill: (plot, i) => colour(chart.lines[i - 1].colour) } },
    cursor: { y: false, points: { size: 7 }, focus: { prox: 24 } },
    scales: {
      x: { time: false, range: (plot, from, to) => (from === null ? [0, 100] : from === to ? [from, from + 1] : [from, to]) },
      y: { range: (plot, from, to) => range(chart, from, to) },
    },
    axes: [
      { ...line, space: 74, size: 32, values: (plot, ticks) => ticks.map(axis === "steps" ? brief : writeX) },
      { ...line, size: 58, values: (plot, ticks) => ticks.map((tick) => round(chart.write(tick))) },
    ],
    series: [
      { label: axis === "steps" ? "Step" : "After", value: (plot, value) => (value === null ? "–" : writeX(value)) },
      ...chart.lines.map((one) => ({
        label: one.label,
        stroke: colour(one.colour),
        width: 2,
        fill: one.fill ? `${colour(one.colour)}22` : undefined,
        points: one.dots ? { show: (plot, series) => isSparse(plot.data[series]), size: 5, fill: colour("--surface") } : { show: false },
        spanGaps: true,
        value: (plot, value) => (Number.isFinite(value) ? chart.write(value) : "–"),
      })),
    ],
  };
}

/** Drops zeros that say nothing: 2.500 becomes 2.5, and 80.0 % becomes 80 %. */
function round(text) {
  return text.replace(/\.(\d*?)0+(?!\d)/, (whole, digits) => (digits ? `.${digits}` : ""));
}

function isSparse(values) {
  return values.filter((value) => Number.isFinite(value)).length <= 60;
}

function range(chart, from, to) {
  if (from === null || to === null || !Number.isFinite(from) || !Number.isFinite(to)) {
    return [0, 1];
  }
  const pad = (to - from || Math.abs(to) || 1) * 0.08;
  const low = chart.floor ?? from - pad;
  const high = Math.max(to + pad, chart.atLeast ?? 0);
  return [Math.max(low, 0), chart.ceiling ? Math.min(high, chart.ceiling + 0.004) : high];
}
