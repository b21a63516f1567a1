// The choice of an earlier run, whose held-out curve is drawn beside the live one.

import { part, show } from "./text.js";

const PATIENCE_MS = 10000;

/** Asks once for the earlier runs, and offers them if there are any; without them the page is the same. */
export async function offerEarlier(session, charts) {
  const answer = await session.send("/earlierRuns", { patienceMs: PATIENCE_MS });
  if (!answer.ok) {
    return;
  }
  const { runs } = await answer.json();
  const choice = part("earlier");
  runs.forEach(({ name }, i) => choice.append(new Option(name, String(i))));
  choice.addEventListener("change", () => {
    const earlier = choice.value === "" ? null : runs[Number(choice.value)];
    charts.setEarlier(earlier);
    // A closed choice cuts a long name off.
    part("beside-name").hidden = earlier === null;
    show("beside-name", earlier === null ? "" : `Earlier run: ${earlier.name}`);
  });
  part("beside").hidden = runs.length === 0;
}
