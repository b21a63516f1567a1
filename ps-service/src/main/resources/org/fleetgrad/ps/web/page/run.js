// What the page knows of the run: the course of it, fetched whole once and then only what is new.

const MAX_POINTS = 6000;
const PATIENCE_MS = 10000;

export class Run {
  #session;
  #generation = null;
  points = [];
  evaluations = [];
  checkpoints = [];
  rollbacks = [];
  status = null;
  /** The server's clock minus this machine's, in milliseconds. */
  clockAhead = 0;

  constructor(session) {
    this.#session = session;
  }

  /** Asks for the figures of now and for what came since the last time. */
  async refresh() {
    const [status, history] = await Promise.all([this.#get("/status"), this.#get(this.#newest())]);
    this.status = status;
    this.clockAhead = history.nowMs - Date.now();
    if (history.generation !== this.#generation && this.#generation !== null) {
      // A rollback, or a restart that lost steps: what is known here may not be of the run any more.
      this.#generation = null;
      this.#replace(await this.#get("/history"));
    } else if (this.#generation === null) {
      this.#replace(history);
    } else {
      this.#add(history);
    }
    this.#generation = history.generation;
  }

  /** Forgets what it knows, because another life of the server may know it differently. */
  forget() {
    this.#generation = null;
  }

  #newest() {
    const known = this.points.length;
    if (this.#generation === null || known < 2 || known > MAX_POINTS) {
      this.#generation = null;
      return "/history";
    }
    // The last point may still move; the one before it stays.
    return `/history?after=${this.points[known - 2].timeMs}`;
  }

  #replace(history) {
    this.points = history.points;
    this.evaluations = history.evaluations;
    this.checkpoints = history.checkpoints;
    this.rollbacks = history.rollbacks ?? [];
  }

  #add(history) {
    const after = this.points[this.points.length - 2].timeMs;
    this.points = [...this.points.filter((point) => point.timeMs <= after), ...history.points.filter((point) => point.timeMs > after)];
    this.evaluations = [...this.evaluations.filter((point) => point.timeMs <= after), ...history.evaluations];
    this.checkpoints = history.checkpoints;
    this.rollbacks = history.rollbacks ?? [];
  }

  async #get(path) {
    const answer = await this.#session.send(path, { patienceMs: PATIENCE_MS });
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      throw new Error(problem.detail ?? `the server answered ${answer.status}`);
    }
    return answer.json();
  }
}
