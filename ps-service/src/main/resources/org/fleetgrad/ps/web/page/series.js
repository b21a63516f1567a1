// The figures of the course as lines of a chart.

const RATE_MS = 2000;

/** More pieces than this are a blob and not a line. */
const MOST_PIECES = 120;

/** Several points may have one version: while nothing is trained, time goes on. The last one counts. */
export function lastOfEach(xs, ys) {
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
export function rates(points) {
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

/** Returns places, means, lowest and highest values of a line in at most MOST_PIECES pieces. */
export function banded(xs, ys) {
  if (xs.length <= 2 * MOST_PIECES) {
    return [xs, ys, ys, ys];
  }
  const width = (xs[xs.length - 1] - xs[0]) / MOST_PIECES;
  const pieces = new Map();
  xs.forEach((x, i) => {
    const index = Math.min(MOST_PIECES - 1, Math.floor((x - xs[0]) / width));
    const piece = pieces.get(index) ?? { number: 0, x: 0, y: 0, low: Infinity, high: -Infinity };
    piece.number++;
    piece.x += x;
    piece.y += ys[i];
    piece.low = Math.min(piece.low, ys[i]);
    piece.high = Math.max(piece.high, ys[i]);
    pieces.set(index, piece);
  });
  const all = [...pieces.values()];
  return [
    all.map(({ x, number }) => x / number),
    all.map(({ y, number }) => y / number),
    all.map(({ low }) => low),
    all.map(({ high }) => high),
  ];
}
