// Server-sent events of an answer to a POST, which the browser's own EventSource cannot read.

const PREFIX = "data: ";

/** Gives the data of the events in the order in which they come, those that came together as one list. */
export async function* events(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    const data = lines.filter((line) => line.startsWith(PREFIX)).map((line) => line.slice(PREFIX.length));
    if (data.length > 0) {
      yield data;
    }
  }
}
