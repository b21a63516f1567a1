// How the versions so far continue one beginning of a text, the oldest first. The newest grows as its stream arrives.

import { events } from "./events.js";
import { element, exact, part, show } from "./text.js";

const MOST_BLOCKS = 20;
const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 30_000;
const SHARE = 0.05;
const QUIET_MS = 15_000;
const MOST_SEED = 2 ** 32;
const DONE = "[DONE]";

export class Continuations {
  #session;
  #away;
  #question = null;
  #running = null;
  #served = null;
  #asked = null;
  #askedAt = -Infinity;
  #spokenAt = -Infinity;

  /** @param away what to do with the failure of a request that had no answer */
  constructor(session, away) {
    this.#session = session;
    this.#away = away;
    part("prompt-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    part("prompt").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        part("prompt-form").requestSubmit();
      }
    });
  }

  /** Takes the version that is served now, and asks it if it says something new. */
  meet(generation, version) {
    this.#served = { generation, version };
    if (this.#question && !this.#running && this.#isDue()) {
      this.#ask();
    }
  }

  /** Forgets the texts, and asks no more: another network has another alphabet. */
  end() {
    this.#running?.abort();
    this.#running = null;
    this.#question = null;
    part("continuations").replaceChildren();
    part("no-continuation").hidden = false;
    show("prompt-problem", "");
  }

  /** Asks about the beginning that is written there now; all versions get the same seed, so only they differ. */
  #begin() {
    this.end();
    this.#asked = null;
    this.#spokenAt = -Infinity;
    this.#question = {
      prompt: part("prompt").value,
      max_tokens: part("max-tokens").valueAsNumber,
      temperature: part("temperature").valueAsNumber,
      seed: Math.floor(Math.random() * MOST_SEED),
      stream: true,
    };
    this.#ask();
  }

  /**
   * Tells whether the served version differs enough from the one that was asked last: by a twentieth of its steps, or, after a
   * while, at all. Late in a run, one step changes little.
   */
  #isDue() {
    const waited = performance.now() - this.#askedAt;
    if (waited < PAUSE_MS || document.hidden) {
      return false;
    }
    if (!this.#asked) {
      return true;
    }
    const { generation, version } = this.#asked;
    const isOther = generation !== this.#served.generation;
    const steps = Math.abs(this.#served.version - version);
    const isFar = isOther || (steps > 0 && (steps >= SHARE * version || waited >= LONGEST_PAUSE_MS));
    return isFar && part("again").checked;
  }

  async #ask() {
    const running = new AbortController();
    this.#running = running;
    this.#askedAt = performance.now();
    const block = new Block(this.#question.prompt);
    try {
      await this.#stream(block, running.signal);
    } catch (failure) {
      block.break();
      if (!running.signal.aborted) {
        this.#asked = null;
        this.#away(failure);
      }
    } finally {
      if (this.#running === running) {
        this.#running = null;
      }
    }
  }

  async #stream(block, signal) {
    const reply = await this.#session.send("/v1/completions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(this.#question),
      signal,
    });
    if (!reply.ok) {
      const problem = await reply.json();
      if (!signal.aborted) {
        this.#refuse(problem);
      }
      return;
    }
    show("prompt-problem", "");
    let isWhole = false;
    for await (const list of events(reply)) {
      if (signal.aborted) {
        return;
      }
      isWhole ||= list.includes(DONE);
      this.#take(block, list.filter((data) => data !== DONE).map((data) => JSON.parse(data)));
    }
    if (isWhole) {
      block.end();
      this.#say(block.spoken);
    } else {
      block.break();
    }
  }

  #take(block, chunks) {
    const failed = chunks.find((chunk) => chunk.error);
    if (failed) {
      this.#refuse(failed.error);
    }
    const texts = chunks.filter((chunk) => !chunk.error);
    if (texts.length > 0) {
      const { generation, version } = texts[0];
      this.#asked = { generation, version };
      block.grow(version, texts.map((chunk) => chunk.choices[0]?.text ?? "").join(""));
    }
  }

  /** Shows why there is no text. What holds for now only is asked again; the rest waits for another beginning. */
  #refuse(problem) {
    show("prompt-problem", `The service refuses: ${problem.detail}`);
    this.#asked = null;
    if (problem.status !== 503) {
      this.#question = null;
    }
  }

  /** Tells people who do not see the texts; not each one. */
  #say(text) {
    const now = performance.now();
    if (now - this.#spokenAt > QUIET_MS) {
      this.#spokenAt = now;
      show("spoken", text);
    }
  }
}

/** What one version said: "version 12: text". It stands on the page from its first token on. */
class Block {
  #line = element("li");
  #title = element("h3", "small quiet number");
  #said = element("span");
  #text = "";
  #version = "";

  constructor(prompt) {
    const text = element("p", "text");
    text.append(element("span", "quiet", prompt), this.#said);
    this.#line.append(this.#title, text);
    this.#line.dataset.state = "growing";
  }

  get spoken() {
    return `${this.#version}: ${this.#text}`;
  }

  grow(version, more) {
    this.#version = `Version ${exact(version)}`;
    this.#text += more;
    const place = part("continuations");
    const isFollowed = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
    if (!this.#line.isConnected) {
      part("no-continuation").hidden = true;
      place.append(this.#line);
      while (place.childElementCount > MOST_BLOCKS) {
        place.firstElementChild.remove();
      }
    }
    show(this.#title, this.#version);
    show(this.#said, this.#text);
    if (isFollowed) {
      place.scrollTop = place.scrollHeight;
    }
  }

  end() {
    this.#line.dataset.state = "whole";
  }

  break() {
    this.#line.dataset.state = "broken";
    show(this.#title, `${this.#version} (broken off)`);
  }
}
