// The charts: loss, accuracy, samples per second and staleness, against steps or time; of a text perplexity and tokens,
// of numbers and of several labels the held-out loss alone.

import { span, ticks } from "./axes.js";
import { beside, charts } from "./kinds.js";
import { banded, lastOfEach, rates } from "./series.js";
import { count, duration, exact, part, show } from "./text.js";

const HEIGHT = 220;

/** All charts of the page; they share the horizontal axis. */
export class Charts {
  #drawn = new Map();
  #axis = "steps";
  #isWhole = false;
  #run = null;
  #begin = 0;
  #said = -Infinity;
  #tokens = 0;
  #hasLossOnly = false;
  #earlier = null;
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

  /** Shows the beginning of each curve, too, or fits the axis to the rest. */
  setWhole(isWhole) {
    this.#isWhole = isWhole;
    this.#redraw();
  }

  /** Draws the held-out curve of an earlier run, too; null for none. */
  setEarlier(earlier) {
    this.#earlier = earlier;
    document.querySelector(".charts").toggleAttribute("data-beside", earlier !== null);
    this.#kinds();
    this.#redraw();
  }

  /** Draws what is known now. */
  draw(run) {
    this.#run = run;
    this.#choose(run.status?.text?.tokensPerSample ?? 0, Boolean(run.status?.regression ?? run.status?.labels));
    this.#begin = run.points[0]?.timeMs ?? run.evaluations[0]?.timeMs ?? 0;
    // Words for people who do not see the charts; often enough, and not at each frame.
    const isSaying = performance.now() - this.#said > 2000;
    for (const chart of this.#charts) {
      const data = this.#data(chart, run);
      const place = part(`chart-${chart.id}`);
      const isEmpty = data[0].length === 0;
      if (isEmpty) {
        place.dataset.empty = chart.none[0].toUpperCase() + chart.none.slice(1);
      } else {
        delete place.dataset.empty;
      }
      this.#show(chart, place, data);
      if (isSaying) {
        place.setAttribute("aria-label", describe(chart, data, this.#axis, run.rollbacks));
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
    this.#kinds();
    this.#clear();
    for (const { id, name } of this.#charts) {
      const title = part(`chart-${id}`).closest("figure").querySelector("h2");
      title.textContent = name;
    }
  }

  #kinds() {
    const alone = charts(this.#tokens, this.#hasLossOnly);
    this.#charts = this.#earlier ? alone.map(beside) : alone;
  }

  #data(chart, run) {
    const x = this.#axis === "steps" ? (point) => point.version : (point) => (point.timeMs - this.#begin) / 1000;
    const tables = chart.lines.map((line) => {
      const known = this.#points(line, run).filter((point) => Number.isFinite(line.value(point)));
      const sorted = line.of === "evaluations" || line.of === "earlier" ? known.toSorted((a, b) => x(a) - x(b)) : known;
      return [sorted.map(x), sorted.map(line.value)];
    });
    const lines = tables.map(([xs, ys], i) => (chart.lines[i].band ? banded(...lastOfEach(xs, ys)) : lastOfEach(xs, ys)));
    return lines.length === 1 ? lines[0] : uPlot.join(lines);
  }

  #points(line, run) {
    if (line.of === "earlier") {
      return this.#earlier.points.map((point) => ({ ...point, timeMs: this.#begin + 1000 * point.seconds }));
    }
    return line.of === "rates" ? rates(run.points) : run[line.of];
  }

  #show(chart, place, data) {
    const shown = this.#drawn.get(place.id);
    if (shown && isZoomed(shown)) {
      shown.setData(data, false);
      shown.redraw();
    } else if (shown) {
      shown.setData(data);
    } else {
      this.#drawn.set(place.id, new uPlot(this.#options(chart, place.clientWidth), data, place));
    }
  }

  #options(chart, width) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const line = {
      stroke: colour("--quiet"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: colour("--grid"), width: 1 },
      ticks: { show: false },
    };
    const writeX = this.#axis === "steps" ? (value) => count(Math.round(value)) : (value) => duration(1000 * value);
    return {
      width,
      height: HEIGHT,
      legend: { markers: { width: 0, fill: (plot, i) => plot.series[i].stroke(plot, i) } },
      cursor: { y: false, points: { size: 7 }, focus: { prox: 24 } },
      scales: {
        x: { time: false, range: (plot, from, to) => (from === null ? [0, 100] : from === to ? [from, from + 1] : [from, to]) },
        y: { range: (plot) => this.#span(chart, plot) },
      },
      axes: [
        { ...line, space: 84, size: 32, values: (plot, values) => values.map(writeX) },
        { ...line, size: 62, values: (plot, values, axis, space, step) => ticks(values, step, chart.isShare) },
      ],
      series: [
        { label: this.#axis === "steps" ? "Step" : "After", value: (plot, value) => (value === null ? "–" : writeX(value)) },
        ...chart.lines.flatMap((one) => drawn(chart, one, colour)),
      ],
      bands: chart.lines.flatMap(({ band }, i) =>
        band ? [{ series: [column(chart, i) + 2, column(chart, i) + 1], fill: `${colour(chart.lines[i].colour)}33` }] : [],
      ),
      hooks: { draw: [(plot) => this.#mark(plot, colour)] },
    };
  }

  /** Returns what the vertical axis spans, and says so if it leaves the beginning out. */
  #span(chart, plot) {
    const [first, last] = plot.series[0].idxs ?? [0, plot.data[0].length - 1];
    const { low, high, isCut } = span(chart, plot.data.slice(1).map((values) => values.slice(first, last + 1)), this.#isWhole);
    show(`note-${chart.id}`, isCut ? "without the beginning" : "");
    return [low, high];
  }

  /** Marks where the run was rolled back. */
  #mark(plot, colour) {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = colour("--bad");
    ctx.fillStyle = colour("--bad");
    ctx.lineWidth = scale;
    ctx.setLineDash([4 * scale, 4 * scale]);
    ctx.font = `${11 * scale}px system-ui, sans-serif`;
    for (const { timeMs, version } of this.#run.rollbacks) {
      const x = plot.valToPos(this.#axis === "steps" ? version : (timeMs - this.#begin) / 1000, "x", true);
      if (x >= bbox.left && x <= bbox.left + bbox.width) {
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        const isRight = x > bbox.left + bbox.width / 2;
        ctx.textAlign = isRight ? "right" : "left";
        ctx.fillText("rollback", x + (isRight ? -4 : 4) * scale, bbox.top + 11 * scale);
      }
    }
    ctx.restore();
  }

  #clear() {
    this.#drawn.forEach((chart) => chart.destroy());
    this.#drawn.clear();
    this.#said = -Infinity;
  }

  #redraw() {
    this.#clear();
    if (this.#run) {
      this.draw(this.#run);
    }
  }
}

function describe(chart, data, axis, rollbacks) {
  const unit = axis === "steps" ? (value) => `step ${count(Math.round(value))}` : (value) => duration(1000 * value);
  const parts = chart.lines.flatMap((line, i) => {
    const known = data[0].map((x, j) => [x, data[column(chart, i)]?.[j]]).filter(([, y]) => Number.isFinite(y));
    if (known.length === 0) {
      return [];
    }
    const [firstX, firstY] = known[0];
    const [lastX, lastY] = known[known.length - 1];
    const name = chart.lines.length > 1 ? `${line.label.toLowerCase()} ` : "";
    return [`${name}from ${chart.write(firstY)} at ${unit(firstX)} to ${chart.write(lastY)} at ${unit(lastX)}`];
  });
  const undone = rollbacks.map(({ from, version }) => `; rolled back from version ${exact(from)} to ${exact(version)}`);
  return `${chart.name}: ${parts.length > 0 ? parts.join("; ") : chart.none}${undone.join("")}`;
}

/** Returns the column of a line in the data: a band takes three, its mean first. */
function column(chart, line) {
  return 1 + chart.lines.slice(0, line).reduce((sum, { band }) => sum + (band ? 3 : 1), 0);
}

/** Returns the series of a line; of a band its mean, which names all three values, and the two edges. */
function drawn(chart, { label, colour: name, dots, band }, colour) {
  const write = (plot, value, series, i) => {
    if (!Number.isFinite(value)) {
      return "–";
    }
    const [low, high] = band && i !== null ? [plot.data[series + 1][i], plot.data[series + 2][i]] : [value, value];
    return low === high ? chart.write(value) : `${chart.write(value)} (${chart.write(low)} to ${chart.write(high)})`;
  };
  const shown = {
    label,
    stroke: colour(name),
    width: 2,
    points: dots ? { show: (plot, series) => isSparse(plot.data[series]), size: 5, fill: colour("--surface") } : { show: false },
    spanGaps: true,
    value: write,
  };
  const edge = { class: "edge", stroke: "transparent", width: 0, points: { show: false }, spanGaps: true };
  return band ? [shown, { ...edge }, { ...edge }] : [shown];
}

/** Tells whether a user looks at a part: then news must not take it away. */
function isZoomed({ scales, data }) {
  const xs = data[0];
  return xs.length > 1 && (scales.x.min > xs[0] || scales.x.max < xs[xs.length - 1]);
}

function isSparse(values) {
  return values.filter((value) => Number.isFinite(value)).length <= 60;
}
