// Requests to the page's own service. If it asks for a token, the page asks for keys and exchanges them, as every client
// does. The token lies in this tab's session storage; the keys stay in memory, to renew it.

import { element } from "./text.js";

const STORED = "fleetgrad.token";

export class Session {
  #token = sessionStorage.getItem(STORED);
  #keys = null;
  #asking = null;
  #title;

  /** @param title what the keys are for, in a sentence */
  constructor(title) {
    this.#title = title;
  }

  /**
   * Sends a request, and sends it again once there is a token; other failures are the caller's. An answer that has not come to its
   * end after `patienceMs` is one of them.
   */
  async send(path, { patienceMs, ...options } = {}) {
    for (let attempt = 0; ; attempt++) {
      const used = this.#token;
      const answer = await fetch(path, {
        ...options,
        headers: this.#headers(options.headers),
        cache: "no-store",
        signal: patienceMs ? AbortSignal.timeout(patienceMs) : undefined,
      });
      if (answer.status !== 401) {
        return answer;
      }
      await answer.body?.cancel();
      if (used === this.#token) {
        await this.#renew(attempt > 0);
      }
    }
  }

  #headers(given) {
    return this.#token ? { ...given, Authorization: `Bearer ${this.#token}` } : { ...given };
  }

  /** Gets another token; those who wait for it at the same time share one dialog. */
  async #renew(isRefusedAgain) {
    this.#asking ??= this.#nextToken(isRefusedAgain).finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #nextToken(isRefusedAgain) {
    if (this.#keys && !isRefusedAgain) {
      const outcome = await this.#exchange(this.#keys);
      if (outcome.token) {
        this.#keep(outcome.token);
        return;
      }
    }
    this.#keys = null;
    sessionStorage.removeItem(STORED);
    await this.#ask();
  }

  #keep(token) {
    this.#token = token;
    sessionStorage.setItem(STORED, token);
  }

  async #exchange(keys) {
    const answer = await fetch("/issueToken", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(keys),
    });
    const body = await answer.json().catch(() => ({}));
    return answer.ok ? { token: body.token } : { problem: body.detail ?? `the server answered ${answer.status}` };
  }

  #ask() {
    const { dialog, form, access, secret, problem, button } = this.#dialog();
    document.body.append(dialog);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.showModal();
    access.focus();
    return new Promise((resolve) => {
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        button.disabled = true;
        problem.textContent = "";
        const keys = { accessKey: access.value, secretKey: secret.value };
        const outcome = await this.#exchange(keys).catch(() => ({ problem: "the server does not answer" }));
        button.disabled = false;
        if (outcome.token) {
          this.#keys = keys;
          this.#keep(outcome.token);
          dialog.close();
          dialog.remove();
          resolve();
        } else {
          problem.textContent = `Refused: ${outcome.problem}.`;
          secret.select();
        }
      });
    });
  }

  #dialog() {
    const dialog = element("dialog");
    dialog.setAttribute("aria-labelledby", "keys-title");
    const form = element("form");
    const title = element("h2", "", "This server asks for keys");
    title.id = "keys-title";
    const access = field("access-key", "text", "username");
    const secret = field("secret-key", "password", "current-password");
    const problem = element("p", "problem");
    problem.setAttribute("role", "alert");
    const button = element("button", "primary", "Show the page");
    button.type = "submit";
    form.append(
      title,
      element("p", "quiet", this.#title),
      label("Access key", access),
      label("Secret key", secret),
      problem,
      button,
    );
    dialog.append(form);
    return { dialog, form, access, secret, problem, button };
  }
}

function field(id, type, autocomplete) {
  const made = element("input");
  made.id = id;
  made.type = type;
  made.autocomplete = autocomplete;
  made.required = true;
  made.spellcheck = false;
  return made;
}

function label(text, input) {
  const made = element("label", "", text);
  made.htmlFor = input.id;
  made.append(input);
  return made;
}
