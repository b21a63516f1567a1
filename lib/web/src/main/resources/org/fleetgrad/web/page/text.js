// Text of the pages. What comes from the server becomes text nodes only, never markup.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const UNKNOWN = "–";

/** Writes a count: 38,400. */
export function count(value) {
  return Number.isFinite(value) ? whole.format(value) : UNKNOWN;
}

/** Writes a version as every command takes it: 103412. */
export function exact(version) {
  return Number.isFinite(version) ? String(version) : UNKNOWN;
}

/** Writes a count in few characters: 38.4 k. */
export function brief(value) {
  if (!Number.isFinite(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (size >= unit) {
      const shown = value / (name === "k" ? 1e3 : unit);
      return `${shown.toFixed(Math.abs(shown) < 100 ? 1 : 0)} ${name}`;
    }
  }
  return size >= 100 || Number.isInteger(value) ? whole.format(value) : value.toFixed(1);
}

/** Writes a loss or another small number with four digits that count. */
export function decimal(value) {
  if (!Number.isFinite(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) {
    return value.toExponential(2);
  }
  return value.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

/** Writes a share as a percentage. */
export function percent(value, digits = 2) {
  return Number.isFinite(value) ? `${(100 * value).toFixed(digits)} %` : UNKNOWN;
}

/** Writes milliseconds as a duration: 20 s, 3 min 5 s, 2 h 10 min. */
export function duration(milliseconds) {
  if (!Number.isFinite(milliseconds)) {
    return UNKNOWN;
  }
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${seconds % 60} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Says why there is no answer, of a failed request. */
export function reason(failure, who) {
  if (failure.name === "TimeoutError" || failure.name === "AbortError") {
    return `The ${who} takes connections, but does not answer.`;
  }
  // fetch fails with a TypeError if there is no answer at all.
  return failure instanceof TypeError ? `The ${who} does not answer.` : `The ${who} says: ${failure.message}.`;
}

/** Writes a time of day. */
export function clock(milliseconds) {
  return new Date(milliseconds).toLocaleTimeString("en-GB");
}

/** Finds a part of the page by its id. */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no part '${id}'`);
  }
  return found;
}

/** Shows text, and touches the page only where it differs. */
export function show(id, text) {
  const element = typeof id === "string" ? part(id) : id;
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Makes an element with text. */
export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  if (text) {
    made.textContent = text;
  }
  return made;
}
