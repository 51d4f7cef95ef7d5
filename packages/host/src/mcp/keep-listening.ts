import type { Client } from '@modelcontextprotocol/client';
import { noTimeout } from './no-timeout.ts';

/** Waits between attempts to listen again, in milliseconds; the last one repeats. */
const waits = [1000, 5000, 15_000, 60_000];

/** In the newer era changes are told only to those who listen, and a stream that ends must be asked for again. */
export function keepListening(client: Client, onToolsChanged: () => void): void {
  if (client.getProtocolEra() !== 'modern') return;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  void listenForEver(client, onToolsChanged);
}

async function listenForEver(client: Client, onToolsChanged: () => void): Promise<void> {
  for (let attempt = 0; client.transport !== undefined; attempt += 1) {
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: noTimeout });
      // What changed while nobody listened is not told again.
      if (attempt > 0) onToolsChanged();
      attempt = 0;
      if ((await subscription.closed) === 'local') return;
    } catch {
      // Refused or cut off: the next attempt tells.
    }
    const wait = waits[Math.min(attempt, waits.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, wait).unref());
  }
}
