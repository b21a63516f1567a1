// The dashboard: follows the server's events, and asks for the figures when something happened.

import { Charts } from "./charts.js";
import { offerEarlier } from "./earlier.js";
import { showFigures } from "./figures.js";
import { OTHER } from "./other.js";
import { Run } from "./run.js";
import { Session } from "./session.js";
import { clock, duration, exact, part, reason, show } from "./text.js";

const SOONEST_MS = 1000;
const LATEST_MS = 2000;
/** A server that takes connections and answers none looks as if it were up: LATEST_MS and this are 4.5 s. */
const SILENT_MS = 2500;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10000;

const session = new Session("A reader's access key and secret key are enough for this page.");
const run = new Run(session);
const charts = new Charts();

let hasNews = false;
let isOffered = false;
let wake = () => {};
let seenAt = 0;
let askedAt = 0;

/** Waits for news, or for a time, whichever comes first. */
function pause(milliseconds, isWakeable = true) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = isWakeable
      ? () => {
          clearTimeout(timer);
          resolve();
        }
      : () => {};
  });
}

function tell() {
  hasNews = true;
  wake();
}

function render() {
  const { status } = run;
  part("away").hidden = true;
  part("empty").hidden = status.initialized;
  const state = !status.initialized ? "waiting" : status.workers.length > 0 ? "live" : "idle";
  part("state").dataset.state = state === "idle" ? "waiting" : state;
  show("state", { waiting: "Waiting", live: "Training", idle: status.work?.done ? "Done" : "No workers" }[state]);
  show("subtitle", status.work?.dataset ? `${status.work.dataset}, ${status.mode}` : `${status.mode} training`);
  document.title = status.initialized ? `Step ${exact(status.version)} · Fleetgrad` : "Fleetgrad run";
  showFigures(run);
  charts.draw(run);
}

function away(why, milliseconds) {
  part("away").hidden = false;
  part("empty").hidden = true;
  part("state").dataset.state = "away";
  show("state", "Server away");
  const since = seenAt > 0 ? ` What is shown is from ${clock(seenAt)}.` : "";
  const next = milliseconds > 0 ? ` Trying again every ${Math.round(milliseconds / 1000)} s.` : "";
  show("away-text", `${why}${since}${next}`);
}

/** Says that the server hangs, while its answer is still awaited. */
function watch() {
  const isAsking = askedAt > 0 && !document.hidden && !document.querySelector("dialog[open]");
  const silent = Date.now() - askedAt;
  if (isAsking && silent > SILENT_MS) {
    away(`No answer for ${duration(silent)}.`, 0);
  }
}

/** Shows the run for as long as the page is open. */
async function follow() {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      hasNews = false;
      askedAt = Date.now();
      await run.refresh();
      askedAt = 0;
      seenAt = Date.now();
      pauseMs = FIRST_PAUSE_MS;
      render();
      if (!isOffered) {
        isOffered = true;
        // The live run does not wait for the others.
        offerEarlier(session, charts).catch(() => {
          isOffered = false;
        });
      }
      await pause(SOONEST_MS, false);
      if (!hasNews) {
        await pause(LATEST_MS - SOONEST_MS);
      }
    } catch (failure) {
      askedAt = 0;
      run.forget();
      away(reason(failure, "server"), pauseMs);
      await pause(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }
}

/** Reads the stream of events, which tells only that there is something to ask for. EventSource could send no token. */
async function listen() {
  for (;;) {
    try {
      const answer = await session.send("/events", { headers: { Accept: "text/event-stream" } });
      if (!answer.ok) {
        throw new Error(`the server answered ${answer.status}`);
      }
      tell();
      const reader = answer.body.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        tell();
      }
    } catch {
      // Without events, the page asks every few seconds.
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS));
  }
}

for (const choice of document.querySelectorAll("input[name=axis]")) {
  choice.addEventListener("change", () => charts.setAxis(choice.value));
}
for (const choice of document.querySelectorAll("input[name=range]")) {
  choice.addEventListener("change", () => charts.setWhole(choice.value === "whole"));
}
if (OTHER) {
  part("other").href = OTHER;
  part("other").hidden = false;
}
setInterval(watch, 500);
part("retry").addEventListener("click", tell);
follow();
listen();
