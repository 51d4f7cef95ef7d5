import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';

interface InspectedPorts {
  readonly NetworkSettings: {
    readonly Ports?: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>>;
  };
}

/** The port of this machine that leads to a port inside a container; none when it has ended. */
export async function publishedPort(
  engine: EngineClient,
  id: string,
  inside: string,
): Promise<string | undefined> {
  try {
    const path = `/containers/${id}/json`;
    const { NetworkSettings } = await engine.ask<InspectedPorts>({ method: 'GET', path });
    const key = inside.includes('/') ? inside : `${inside}/tcp`;
    return NetworkSettings.Ports?.[key]?.[0]?.HostPort;
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404) return undefined;
    throw error;
  }
}
