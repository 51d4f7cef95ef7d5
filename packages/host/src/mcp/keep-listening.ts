import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { noTimeout } from './no-timeout.ts';
import { sleep } from './sleep.ts';

/** Waits between attempts to listen again, in milliseconds; the last one repeats. */
const waits = [1000, 5000, 15_000, 60_000];

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
  for (let attempt = 0; !closed.aborted; attempt += 1) {
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: noTimeout });
      // What changed while nobody listened is not told again.
      if (attempt > 0) listener.onToolsChanged();
      attempt = 0;
      if ((await subscription.closed) === 'local') return;
    } catch (error) {
      // It announces changes, but not to those who ask.
      if (error instanceof ProtocolError) return;
    }
    if (closed.aborted) return;
    listener.onStreamLost?.();
    const wait = waits[Math.min(attempt, waits.length - 1)] ?? 0;
    await sleep(wait, closed).catch(() => undefined);
  }
}
