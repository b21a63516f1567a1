// The vertical axis of a chart: which values it spans, and how its ticks are written.

import { brief, count, percent } from "./text.js";

/** A curve that learns spends its first part far from the rest. */
const BEGINNINGS = [0.1, 0.25];
const FEWEST = 20;
const MUCH_NARROWER = 0.4;

/** Returns the lowest and the highest value, or null of no values. */
function extent(values) {
  const known = values.filter(Number.isFinite);
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)];
}

/**
 * Returns the values that a line spans, without its beginning if that would press the rest against the edge, and how much of it is left
 * out.
 */
function fitted(values, most) {
  const known = values.filter(Number.isFinite);
  let span = extent(known);
  let left = 0;
  if (known.length >= FEWEST) {
    for (const share of BEGINNINGS.filter((one) => one <= most)) {
      const rest = extent(known.slice(Math.ceil(share * known.length)));
      if (rest[1] > rest[0] && rest[1] - rest[0] < MUCH_NARROWER * (span[1] - span[0])) {
        span = rest;
        left = share;
      }
    }
  }
  return { span, left };
}

/**
 * Returns what the axis of a chart spans.
 *
 * @param chart  its floor, ceiling and `atLeast`; `beginning`, the most of it that may be left out
 * @param lines  the values of each line that are in sight
 * @param isWhole whether all of them must be in sight
 */
export function span(chart, lines, isWhole) {
  const parts = lines.map((values) => (isWhole ? { span: extent(values), left: 0 } : fitted(values, chart.beginning ?? 0)));
  const known = parts.filter((part) => part.span);
  if (known.length === 0) {
    return { low: 0, high: 1, isCut: false };
  }
  const from = Math.min(...known.map((part) => part.span[0]));
  const to = Math.max(...known.map((part) => part.span[1]));
  const pad = (to - from || Math.abs(to) || 1) * 0.08;
  const high = Math.max(to + pad, chart.atLeast ?? 0);
  return {
    low: Math.max(chart.floor ?? from - pad, 0),
    high: chart.ceiling ? Math.min(high, chart.ceiling + 0.25 * pad) : high,
    isCut: known.some((part) => part.left > 0),
  };
}

/** Returns as many decimals as neighbours that are `step` apart need to differ. */
function decimals(step) {
  let digits = 0;
  for (let scaled = step; digits < 8 && Math.abs(scaled - Math.round(scaled)) > 1e-6 * scaled; scaled *= 10) {
    digits++;
  }
  return digits;
}

/** Writes ticks that are `step` apart. */
export function ticks(values, step, isShare) {
  if (isShare) {
    return values.map((value) => percent(value, decimals(100 * step)));
  }
  if (step >= 1) {
    return values.map((value) => (step >= 1e5 ? brief(value) : count(value)));
  }
  return values.map((value) => value.toFixed(decimals(step)));
}
