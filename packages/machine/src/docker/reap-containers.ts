import type { Clock } from '@errand/host';
import { hostLabel, ownerOf } from './container-labels.ts';
import { findEngine } from './engine-address.ts';
import { EngineClient } from './engine-client.ts';
import { isGone } from './host-identity.ts';
import { removeContainer } from './remove-container.ts';

interface ListedContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

/** Removes the containers of hosts that ended on this machine without doing so; resolves with their names. */
export async function reapContainers(
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string[]> {
  const engine = new EngineClient(findEngine(env));
  const containers = await engine.ask<ListedContainer[]>({
    method: 'GET',
    path: '/containers/json',
    query: { all: 'true', filters: JSON.stringify({ label: [hostLabel] }) },
    ...(signal && { signal }),
  });
  const reaped = await Promise.all(
    containers.map(async ({ Id, Names, Labels }) => {
      const owner = ownerOf(Labels);
      if (owner === undefined || !(await isGone(owner))) return [];
      await removeContainer(engine, Id);
      return [Names[0]?.replace(/^\//, '') ?? Id];
    }),
  );
  return reaped.flat();
}

const everyTenMinutes = 10 * 60 * 1000;

/** Reaps now and every ten minutes until the signal fires; an engine that is absent is asked again then. */
export async function keepReaping(
  env: NodeJS.ProcessEnv,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await reapContainers(env, signal).catch(() => undefined);
    await clock.sleep(everyTenMinutes, signal).catch(() => undefined);
  }
}
