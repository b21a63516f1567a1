// The table of workers. On most platforms a worker lives for one activation, and the next one has another id: so a row is a place, which
// one worker after the other takes.

import { count, duration, element, part } from "./text.js";

/** How long a place whose worker left stays in sight. */
const FREE_MS = 10000;
const QUIET_MS = 10000;
const HEADS = ["Worker", "Device", "Gradients", "Shard", "Lease", "Deadline"];

export class Workers {
  #places = [];

  /** Gives each worker a place: the one that it has, or the first free one. */
  place(workers, now) {
    const alive = new Map(workers.map((worker) => [worker.id, worker]));
    for (const place of this.#places) {
      const worker = alive.get(place.worker?.id);
      if (place.worker && !worker) {
        place.freeSince = now;
      }
      if (worker && worker.sequence !== place.worker.sequence) {
        place.pushedAt = now;
      }
      place.worker = worker ?? null;
      alive.delete(worker?.id);
    }
    for (const worker of alive.values()) {
      let place = this.#places.find((one) => !one.worker);
      if (!place) {
        place = { number: this.#places.length + 1 };
        this.#places.push(place);
      }
      Object.assign(place, { worker, pushedAt: now, since: now });
    }
  }

  /** Returns the workers that pushed nothing for a while. */
  quiet(now) {
    return this.#places.filter(({ worker, pushedAt }) => worker && now - pushedAt > QUIET_MS).length;
  }

  show(now) {
    const rows = this.#places.filter(({ worker, freeSince }) => worker || now - freeSince < FREE_MS).map(row);
    if (rows.length === 0) {
      const none = element("tr");
      const cell = element("td", "quiet", "No worker is registered.");
      cell.colSpan = HEADS.length;
      none.append(cell);
      rows.push(none);
    }
    part("worker-rows").replaceChildren(...rows);
  }
}

function row({ number, worker }) {
  const made = element("tr");
  const name = element("td");
  name.append(element("div", "id", `Worker ${number}`));
  if (!worker) {
    name.append(element("div", "about", "between two activations"));
    made.append(name, ...HEADS.slice(1).map((head) => cell(head, "–", "quiet")));
    return made;
  }
  name.append(element("div", "about", `${worker.id}, ${worker.description}`));
  made.append(
    name,
    cell("Device", worker.device),
    cell("Gradients", count(worker.applied), "right"),
    shard(worker.shard),
    cell("Lease", duration(worker.leaseMs), "right"),
    cell("Deadline", worker.deadlineMs === undefined ? "none" : duration(worker.deadlineMs), "right"),
  );
  return made;
}

/** Makes a cell that names itself where the table is too wide for a head. */
function cell(head, text, className = "") {
  const made = element("td", className, text);
  made.dataset.head = head;
  return made;
}

function shard(held) {
  if (!held) {
    return cell("Shard", "none", "quiet");
  }
  const made = cell("Shard", "");
  const bar = element("progress");
  bar.max = held.samples;
  bar.value = held.done;
  bar.setAttribute("aria-label", "Share of the shard that is done");
  made.append(bar, `${held.shard} in epoch ${count(held.epoch + 1)}`);
  return made;
}
