import type { ToolDescription } from '../connection.ts';
import type { HostEvents } from '../events/host-event.ts';
import type { Notifier } from '../notifier.ts';
import type { ToolHints } from '../settings/open-tool-hints.ts';
import type { ServerRegistry } from './server-registry.ts';

interface FollowHintsPorts {
  readonly servers: Pick<ServerRegistry, 'list' | 'knownTools'>;
  readonly events: HostEvents;
  readonly hints: Pick<ToolHints, 'observe' | 'changes'>;
  readonly notifier: Notifier;
}

/** Shows every list of tools to the memory of their hints, and tells a person when they claim more than was agreed to. */
export function followToolHints({
  servers,
  events,
  hints,
  notifier,
}: FollowHintsPorts): AsyncDisposable {
  const reported = new Set<string>();
  let observed = Promise.resolve();
  const observe = async (serverId: string, tools: readonly ToolDescription[]) => {
    const server = servers.list().find(({ id }) => id === serverId);
    if (server === undefined) return;
    await hints.observe(server, tools);
    const changes = hints.changes(server);
    if (changes.length === 0) return;
    const shown = changes.slice(0, maxShown).join('; ');
    const more = changes.length > maxShown ? `; and ${changes.length - maxShown} more` : '';
    const message = `The tools of server "${server.name}" claim more than when you agreed to it: ${shown}${more}. A model that calls one of them asks you first.`;
    if (reported.has(message)) return;
    reported.add(message);
    events.emit({ kind: 'hints-changed', serverId });
    const advice = [{ kind: 'review-trust' }] as const;
    notifier.notify({ level: 'warning', message, advice, server: server.name });
  };
  const cannotKeep = (error: unknown) =>
    notifier.notify({
      level: 'warning',
      message: 'The hints of tools cannot be saved, so changes to them are not noticed.',
      detail: error instanceof Error ? error.message : String(error),
    });
  const leave = events.subscribe((event) => {
    if (event.kind !== 'server-connected' && event.kind !== 'tools-changed') return;
    const { serverId } = event;
    // Read now: when its turn comes the server may have left, and would seem to have had no tools.
    const tools = servers.knownTools(serverId);
    observed = observed.then(() => observe(serverId, tools)).catch(cannotKeep);
  });
  return {
    async [Symbol.asyncDispose]() {
      leave();
      await observed;
    },
  };
}

const maxShown = 5;
