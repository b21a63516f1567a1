// The try-it page: asks about the drawing, the picture, the text, the row or the series, and repeats the request for another version. A language
// model continues a text instead.

import { Answer } from "./answer.js";
import { Continuations } from "./continuations.js";
import { Drawing } from "./drawing.js";
import { OTHER } from "./other.js";
import { read } from "./picture.js";
import { Quality } from "./quality.js";
import { Row } from "./row.js";
import { Session } from "./session.js";
import { decimal, element, exact, part, reason, show } from "./text.js";

const LOOK_MS = 1000;
const LONGEST_PAUSE_MS = 8000;
/** A service that hangs is away after this and LOOK_MS. */
const PATIENCE_MS = 3500;
const ANSWER_PATIENCE_MS = 30000;

// What a network is asked about: an image, a text that it classifies, a row of a table, a series, or the beginning of one that it continues.
const PICTURE = "picture";
const SENTENCE = "sentence";
const ROW = "row";
const SERIES = "series";
const BEGINNING = "beginning";

const HINTS = {
  [PICTURE]: "Draw something, or choose a picture.",
  [SENTENCE]: "Write a text.",
  [ROW]: "Fill the row.",
  [SERIES]: "Paste numbers, a line for each channel.",
};

const session = new Session("A reader's access key and secret key are enough for this page.");
const answer = new Answer();
const quality = new Quality(session);
const continuations = new Continuations(session, away);
const row = new Row(askAnew);
const drawing = new Drawing(part("paper"), drawn, (text) => show("pen", text));

let network = "";
let input = null;
let kind = PICTURE;
let served = "";
let picture = null;
let isAsking = false;
let isStale = false;

/** Reads the shape of an image from a network's name, such as lenet5?classes=10&input=1x28x28. */
function shapeOf(name) {
  const found = /[?&]input=(\d+)x(\d+)x(\d+)/.exec(name);
  return found ? { channels: Number(found[1]), height: Number(found[2]), width: Number(found[3]) } : null;
}

/** Tells what a network is asked about by its name, such as gpt2?context=64&vocabulary=65. */
function kindOf(name) {
  if (/[?&]categories=/.test(name)) {
    return ROW;
  }
  if (/[?&]input=\d+x\d+(&|$)/.test(name)) {
    return SERIES;
  }
  if (!/[?&]vocabulary=\d/.test(name)) {
    return PICTURE;
  }
  return /[?&]classes=\d/.test(name) ? SENTENCE : BEGINNING;
}

function drawn() {
  picture = null;
  part("invert-part").hidden = true;
  part("paper-hint").hidden = !drawing.isEmpty;
  answer.begin();
  ask();
}

/** The versions' answers were about something else. */
function askAnew() {
  answer.begin();
  ask();
}

/** Asks about what is there now; while an answer is awaited, the newest question waits. */
async function ask() {
  if (isAsking) {
    isStale = true;
    return;
  }
  isAsking = true;
  try {
    do {
      isStale = false;
      await askOnce();
    } while (isStale);
  } catch (failure) {
    away(failure);
  } finally {
    isAsking = false;
  }
}

/** Returns the request about what is there now, or null if there is nothing. */
function question() {
  if (kind === SENTENCE) {
    const text = part("sentence").value;
    return text === "" ? null : ["/predict", asJson({ text })];
  }
  if (kind === SERIES) {
    const lines = part("sentence").value.trim().split("\n");
    const channels = lines.map((line) => line.trim().split(/[\s,;]+/).map(Number));
    return lines[0] === "" || channels.flat().some(Number.isNaN) ? null : ["/predict", asJson({ input: channels })];
  }
  if (kind === ROW) {
    const values = row.values();
    return values ? ["/predict", asJson({ row: values })] : null;
  }
  if (picture && input) {
    return aboutPicture();
  }
  return input?.channels === 1 && !drawing.isEmpty ? aboutDrawing() : null;
}

function asJson(body) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function askOnce() {
  const asked = question();
  if (!asked) {
    answer.none(HINTS[kind]);
    return;
  }
  const reply = await session.send(asked[0], { ...asked[1], patienceMs: ANSWER_PATIENCE_MS });
  const body = await reply.json();
  if (isStale) {
    return;
  }
  if (reply.ok) {
    answer.show(body);
    served = `${body.generation}-${body.version}`;
  } else {
    show("best", "–");
    show("best-more", `The service refuses: ${body.detail}`);
  }
}

function aboutDrawing() {
  const pixels = drawing.pixels(input.height, input.width);
  preview((context) => {
    const image = context.createImageData(input.width, input.height);
    pixels.forEach((value, i) => image.data.set([value, value, value, 255], 4 * i));
    context.putImageData(image, 0, 0);
  });
  return ["/predict", asJson({ image: pixels })];
}

function aboutPicture() {
  const isInverted = input.channels === 1 && part("invert").checked;
  preview((context) => {
    context.filter = `${input.channels === 1 ? "grayscale(1)" : "none"}${isInverted ? " invert(1)" : ""}`.replace("none ", "");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture.bitmap, 0, 0, input.width, input.height);
  });
  const path = isInverted ? "/predict?invert=true" : "/predict";
  return [path, { method: "POST", headers: { "Content-Type": "image/png" }, body: picture.bytes }];
}

function preview(paint) {
  const canvas = part("seen");
  canvas.width = input.width;
  canvas.height = input.height;
  paint(canvas.getContext("2d"));
}

/** Takes a file that was chosen or dropped. */
async function take(file) {
  show("file-problem", "");
  try {
    const taken = await read(file);
    drawing.clear();
    picture = taken;
    part("paper-hint").hidden = true;
    part("invert").checked = taken.isLight;
    part("invert-part").hidden = input?.channels !== 1;
    show("drop-text", taken.name);
    answer.begin();
    await ask();
  } catch (failure) {
    show("file-problem", failure.message);
  }
}

function meet(status) {
  const isServing = status.state === "serving";
  part("away").hidden = true;
  part("waiting").hidden = isServing;
  part("state").dataset.state = isServing ? "live" : "waiting";
  show("state", isServing ? `Version ${exact(status.version)}` : "Waiting");
  show("subtitle", isServing ? "It learns while you watch" : "Waiting for a model");
  if (status.detail) {
    show("waiting-text", `${status.detail[0].toUpperCase()}${status.detail.slice(1)}.`);
  }
  link(status.server);
  quality.look();
  if (isServing && status.network !== network) {
    network = status.network;
    otherNetwork();
  }
  if (isServing) {
    answer.call(status.classes ?? []);
    row.meet(status.table);
  }
  if (isServing && `${status.generation}-${status.version}` !== served) {
    show("version", exact(status.version));
    show("generation", status.generation);
    served = `${status.generation}-${status.version}`;
    if (kind !== BEGINNING) {
      ask();
    }
  }
  if (isServing && kind === BEGINNING) {
    meetText(status);
  }
  if (isServing && status.evaluation?.labels) {
    const { version, labels } = status.evaluation;
    show("accuracy", `${decimal(labels.microF1)} (version ${exact(version)})`);
  }
  if (isServing && status.evaluation?.regression) {
    const { version, regression } = status.evaluation;
    show("accuracy", `${decimal(regression.r2 ?? NaN)} (version ${exact(version)})`);
  }
}

/** Links to the run: as the settings say, or to the parameter server, if this browser is on its machine. */
function link(server) {
  const isLocal = (host) => /^(127\.\d+\.\d+\.\d+|localhost|\[::1])$/.test(host);
  const address = URL.canParse(server) ? new URL(server) : null;
  const isHere = address?.protocol.startsWith("http") && isLocal(address.hostname) && isLocal(location.hostname);
  const target = OTHER || (isHere ? new URL("/", address).href : "");
  part("other").hidden = target === "";
  part("other").href = target;
}

function meetText({ generation, version, evaluation }) {
  const isEvaluated = evaluation?.generation === generation;
  show("accuracy", isEvaluated ? `${decimal(evaluation.loss)} (version ${exact(evaluation.version)})` : "not evaluated yet");
  continuations.meet(generation, version);
}

function otherNetwork() {
  input = shapeOf(network);
  const classes = Number(/[?&](?:classes|labels)=(\d+)/.exec(network)?.[1] ?? 0);
  kind = kindOf(network);
  answer.otherNetwork();
  answer.expect(classes);
  continuations.end();
  // That of a table may have thousands of characters.
  show("network", network.length > 300 ? `${network.slice(0, 300)}…` : network);
  const isDrawn = input?.channels === 1;
  const shown = {
    "drawing-part": kind === PICTURE && isDrawn,
    "ways": kind === PICTURE,
    "samples-part": isDrawn,
    "sentence-part": kind === SENTENCE || kind === SERIES,
    "row-part": kind === ROW,
    "prompt-form": kind === BEGINNING,
    "seen-part": kind === PICTURE,
    "picture-answer": kind !== BEGINNING,
    "text-answer": kind === BEGINNING,
  };
  for (const [id, isShown] of Object.entries(shown)) {
    part(id).hidden = !isShown;
  }
  const isNumber = /[?&]loss=/.test(network);
  const hasLabels = /[?&]labels=/.test(network);
  part("bars").hidden = isNumber;
  part("amounts").hidden = !isNumber;
  // They keep their place, so that nothing below moves.
  for (const id of ["versions-title", "versions"]) {
    part(id).style.visibility = isNumber || hasLabels ? "hidden" : "visible";
  }
  const pictureTitle = isDrawn ? "Draw a digit" : "Choose a picture";
  show("ask-title", { [PICTURE]: pictureTitle, [SENTENCE]: "Write a text", [ROW]: "Fill a row", [SERIES]: "Paste a series", [BEGINNING]: "Begin a text" }[kind]);
  show("answer-title", kind === BEGINNING ? "The versions continue it" : "The answer");
  show("quality-title", kind === BEGINNING ? "Held-out loss" : isNumber ? "Held-out R²" : hasLabels ? "Held-out micro F1" : "Held-out accuracy");
  show("versions-title", `The same ${{ [PICTURE]: "picture", [ROW]: "row", [SERIES]: "series" }[kind] ?? "text"} under the versions so far`);
}

function away(failure) {
  part("away").hidden = false;
  part("state").dataset.state = "away";
  show("state", "Server away");
  show("away-text", `${reason(failure, "service")} Trying again by itself; your ${{ [PICTURE]: "picture", [ROW]: "row", [SERIES]: "series" }[kind] ?? "text"} stays.`);
}

/** Looks for another version for as long as the page is open. */
async function follow() {
  let pause = LOOK_MS;
  for (;;) {
    try {
      const reply = await session.send("/status", { patienceMs: PATIENCE_MS });
      const body = await reply.json();
      if (!reply.ok) {
        throw new Error(body.detail ?? `the service answered ${reply.status}`);
      }
      pause = LOOK_MS;
      meet(body);
    } catch (failure) {
      away(failure);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

for (let digit = 0; digit < 10; digit++) {
  const button = element("button", "", String(digit));
  button.type = "button";
  button.setAttribute("aria-label", `Draw a ${digit}`);
  button.addEventListener("click", () => drawing.sample(digit));
  part("samples").append(button);
}
part("clear").addEventListener("click", () => drawing.clear());
part("sentence").addEventListener("input", askAnew);
part("invert").addEventListener("change", ask);
part("file").addEventListener("change", (event) => {
  if (event.target.files[0]) {
    take(event.target.files[0]);
  }
  // The same file may be chosen again.
  event.target.value = "";
});
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    // Text is dragged, too, into the beginning of a text.
    if (!event.dataTransfer?.types.includes("Files")) {
      return;
    }
    event.preventDefault();
    part("drop").toggleAttribute("data-over", name === "dragover");
    const file = name === "drop" ? event.dataTransfer.files[0] : null;
    if (file && kind === PICTURE) {
      take(file);
    }
  });
}
follow();
