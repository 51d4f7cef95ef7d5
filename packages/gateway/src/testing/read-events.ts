/** The messages of an event stream, as they arrive; comments come as strings. */
export async function* readEvents(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoderStream();
  let pending = '';
  for await (const text of response.body?.pipeThrough(decoder) ?? []) {
    const events = (pending + text).split('\n\n');
    pending = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      yield data === undefined ? event : JSON.parse(data.slice('data: '.length));
    }
  }
}
