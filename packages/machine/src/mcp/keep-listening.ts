import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { nextStreamWait, notificationStream } from './http/stream-backoff.ts';
import { maxTimerMs } from './no-timeout.ts';
import { sleep } from './sleep.ts';

interface ChangeListener {
  readonly onToolsChanged: () => void;
  readonly onStreamLost?: () => void;
}

/** In the newer era changes are told only to those who listen, and a stream that ends must be asked for again. */
export function keepListening(client: Client, listener: ChangeListener): void {
  if (client.getProtocolEra() !== 'modern') return;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  const closed = new AbortController();
  client.onclose = () => closed.abort();
  void listenUntilClosed(client, listener, closed.signal);
}

async function listenUntilClosed(
  client: Client,
  listener: ChangeListener,
  closed: AbortSignal,
): Promise<void> {
  let wait: number | undefined;
  while (!closed.aborted) {
    const started = performance.now();
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: maxTimerMs });
      // What changed while nobody listened is not told again.
      if (wait !== undefined) listener.onToolsChanged();
      if ((await subscription.closed) === 'local') return;
    } catch (error) {
      // It announces changes, but not to those who ask.
      if (error instanceof ProtocolError) return;
    }
    if (closed.aborted) return;
    listener.onStreamLost?.();
    const livedMs = performance.now() - started;
    wait = nextStreamWait(wait, { livedMs, messages: 0 }, notificationStream);
    await sleep(wait, closed).catch(() => undefined);
  }
}
