// Drawing with a mouse, a finger or the keyboard, and the picture of it as digits are prepared for training.

const SIZE = 336;
const PEN = 22;
const STEP = 12;

/** The digits, as strokes in a square of side 1. */
const SAMPLES = [
  [[[0.5, 0.12], [0.3, 0.2], [0.24, 0.5], [0.3, 0.8], [0.5, 0.88], [0.7, 0.8], [0.76, 0.5], [0.7, 0.2], [0.5, 0.12]]],
  [[[0.36, 0.28], [0.52, 0.12], [0.52, 0.88]]],
  [[[0.27, 0.3], [0.36, 0.15], [0.56, 0.12], [0.71, 0.26], [0.66, 0.45], [0.42, 0.67], [0.26, 0.87], [0.76, 0.87]]],
  [[[0.28, 0.2], [0.5, 0.11], [0.7, 0.24], [0.64, 0.43], [0.44, 0.48], [0.66, 0.54], [0.73, 0.72], [0.58, 0.88], [0.27, 0.82]]],
  [[[0.6, 0.88], [0.6, 0.12], [0.24, 0.64], [0.78, 0.64]]],
  [[[0.71, 0.13], [0.34, 0.13], [0.3, 0.47], [0.54, 0.42], [0.72, 0.56], [0.69, 0.79], [0.48, 0.89], [0.27, 0.81]]],
  [[[0.64, 0.12], [0.42, 0.3], [0.29, 0.58], [0.34, 0.82], [0.54, 0.89], [0.71, 0.77], [0.68, 0.58], [0.5, 0.5], [0.31, 0.63]]],
  [[[0.24, 0.14], [0.76, 0.14], [0.56, 0.48], [0.44, 0.88]]],
  [[[0.5, 0.47], [0.31, 0.34], [0.35, 0.17], [0.52, 0.11], [0.68, 0.19], [0.67, 0.35], [0.34, 0.6], [0.28, 0.76], [0.42, 0.89], [0.6, 0.88], [0.72, 0.74], [0.64, 0.58], [0.5, 0.47]]],
  [[[0.7, 0.36], [0.54, 0.5], [0.34, 0.44], [0.31, 0.25], [0.46, 0.12], [0.65, 0.17], [0.7, 0.36], [0.66, 0.62], [0.56, 0.88]]],
];

/** The sheet of paper; tells {@code onChange} after each change. */
export class Drawing {
  #canvas;
  #onChange;
  #say;
  #strokes = [];
  #pen = { x: SIZE / 2, y: SIZE / 2 };
  #isDown = false;
  #isByKeyboard = false;

  constructor(canvas, onChange, say) {
    this.#canvas = canvas;
    this.#onChange = onChange;
    this.#say = say;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("blur", () => this.#leave());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint());
  }

  get isEmpty() {
    return this.#strokes.length === 0;
  }

  clear() {
    this.#strokes = [];
    this.#isDown = false;
    this.#changed();
  }

  /** Draws one of the digits 0 to 9. */
  sample(digit) {
    const strokes = SAMPLES[digit];
    this.#strokes = strokes.map((stroke) => smooth(stroke).map(([x, y]) => ({ x: x * SIZE, y: y * SIZE })));
    this.#changed();
  }

  #begin(event) {
    if (event.button !== 0) {
      return;
    }
    event.preventDefault();
    this.#canvas.focus({ preventScroll: true });
    this.#canvas.setPointerCapture(event.pointerId);
    this.#isByKeyboard = false;
    this.#isDown = false;
    this.#strokes.push([this.#at(event)]);
    this.#changed();
  }

  #move(event) {
    if (!this.#canvas.hasPointerCapture(event.pointerId)) {
      return;
    }
    const stroke = this.#strokes[this.#strokes.length - 1];
    for (const one of event.getCoalescedEvents?.() ?? [event]) {
      stroke?.push(this.#at(one));
    }
    this.#changed();
  }

  #at(event) {
    const box = this.#canvas.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * SIZE, y: ((event.clientY - box.top) / box.height) * SIZE };
  }

  #key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (event.key === "Delete" || event.key === "Backspace") {
      this.clear();
      this.#say("Cleared.");
    } else if (event.key === " ") {
      this.#isDown = !this.#isDown;
      if (this.#isDown) {
        this.#strokes.push([{ ...this.#pen }]);
      }
      this.#say(this.#isDown ? "Pen down." : "Pen up.");
    } else if (way) {
      this.#pen = { x: within(this.#pen.x + STEP * way[0]), y: within(this.#pen.y + STEP * way[1]) };
      if (this.#isDown) {
        this.#strokes[this.#strokes.length - 1].push({ ...this.#pen });
      }
    } else {
      return;
    }
    event.preventDefault();
    this.#isByKeyboard = true;
    this.#changed();
  }

  #leave() {
    this.#isByKeyboard = false;
    this.#isDown = false;
    this.#paint();
  }

  #changed() {
    this.#paint();
    this.#onChange();
  }

  #paint() {
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, SIZE, SIZE);
    const colours = getComputedStyle(document.documentElement);
    ink(context, this.#strokes, colours.getPropertyValue("--text"), 1);
    if (this.#isByKeyboard) {
      context.beginPath();
      context.arc(this.#pen.x, this.#pen.y, PEN / 2, 0, 2 * Math.PI);
      context.lineWidth = 2.5;
      context.strokeStyle = colours.getPropertyValue(this.#isDown ? "--accent" : "--quiet");
      context.stroke();
    }
  }

  /**
   * Returns the drawing as a network sees it: {@code height} rows of {@code width} values from 0 to 255, light on dark. As in
   * MNIST, the ink fills 20 of 28 pixels, and its centre of mass lies in the middle.
   */
  pixels(height, width) {
    const all = this.#strokes.flat();
    const left = Math.min(...all.map((at) => at.x)) - PEN / 2;
    const top = Math.min(...all.map((at) => at.y)) - PEN / 2;
    const right = Math.max(...all.map((at) => at.x)) + PEN / 2;
    const bottom = Math.max(...all.map((at) => at.y)) + PEN / 2;
    const scale = Math.min((20 / 28) * height / (bottom - top), (20 / 28) * width / (right - left), 1);
    const first = this.#rendered(height, width, scale, (left + right) / 2, (top + bottom) / 2);
    const { x, y } = centre(first, height, width);
    return this.#rendered(
      height,
      width,
      scale,
      (left + right) / 2 + (x - (width - 1) / 2) / scale,
      (top + bottom) / 2 + (y - (height - 1) / 2) / scale,
    );
  }

  #rendered(height, width, scale, middleX, middleY) {
    const sheet = new OffscreenCanvas(width, height);
    const context = sheet.getContext("2d", { willReadFrequently: true });
    context.setTransform(scale, 0, 0, scale, width / 2 - middleX * scale, height / 2 - middleY * scale);
    ink(context, this.#strokes, "#fff", Math.max(1, (0.085 * Math.min(height, width)) / (PEN * scale)));
    const { data } = context.getImageData(0, 0, width, height);
    return Array.from({ length: height * width }, (_, i) => data[4 * i + 3]);
  }
}

function ink(context, strokes, colour, thickness) {
  context.lineWidth = PEN * thickness;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = colour;
  for (const stroke of strokes) {
    context.beginPath();
    context.moveTo(stroke[0].x, stroke[0].y);
    // A dot is a line of no length.
    stroke.forEach((at) => context.lineTo(at.x, at.y + (stroke.length === 1 ? 0.01 : 0)));
    context.stroke();
  }
}

function centre(pixels, height, width) {
  let sum = 0;
  let x = 0;
  let y = 0;
  pixels.forEach((value, i) => {
    sum += value;
    x += value * (i % width);
    y += value * Math.floor(i / width);
  });
  return sum === 0 ? { x: (width - 1) / 2, y: (height - 1) / 2 } : { x: x / sum, y: y / sum };
}

function within(value) {
  return Math.max(PEN / 2, Math.min(SIZE - PEN / 2, value));
}

/** Rounds the corners of a stroke that has many (Chaikin's corner cutting). */
function smooth(stroke) {
  if (stroke.length < 5) {
    return stroke;
  }
  let points = stroke;
  for (let round = 0; round < 3; round++) {
    const next = [points[0]];
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b] = [points[i], points[i + 1]];
      next.push([0.75 * a[0] + 0.25 * b[0], 0.75 * a[1] + 0.25 * b[1]]);
      next.push([0.25 * a[0] + 0.75 * b[0], 0.25 * a[1] + 0.75 * b[1]]);
    }
    next.push(points[points.length - 1]);
    points = next;
  }
  return points;
}
