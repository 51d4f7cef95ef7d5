import { duration } from '@errand/document/display';
import type { Host, Notifier, ServerConfig, ServerSnapshot } from '@errand/host';
import { onAbort } from '@errand/wire';
import { describeServerState, serverJson, stateLine, toolCount } from '@errand/workspace/servers';
import { ago } from '@errand/workspace/text';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { openVault } from '../../open-vault.ts';
import { type Paint, paintColumn } from '../../paint.ts';
import { personAt } from '../../person.ts';
import { type ProgressLine, progressLine } from '../../progress-line.ts';
import { table } from '../../table.ts';
import { connectionKind } from './connection-kind.ts';
import { describeDiscovered, discoveredAsText, discoverServers } from './discovered-servers.ts';

/** Longest wait for the states of the servers, in milliseconds. */
const patience = 5000;

/** Connects the enabled servers and shows how each of them is. */
export async function listServers(
  options: CommonOptions & { readonly offline?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  using line = await progressLine(terminal);
  const { notifier } = personAt(terminal, line);
  const aboutOthers: Notifier = {
    notify(notice) {
      // The list itself shows the problem of a server.
      if (notice.server === undefined || notice.level === 'error') notifier.notify(notice);
    },
  };
  await using vault = await openVault(options, context, { notifier: aboutOthers });
  const { host } = vault;
  if (!options.offline) await connectAll(host, line, signal);
  const servers = host.servers.snapshots();
  const discovered = await discoverServers(vault);
  line.end();
  for (const message of discovered?.problems ?? []) notifier.tell({ message });
  if (options.json) {
    const others = discovered && { discovered: discovered.servers.map(describeDiscovered) };
    terminal.stdout.write(
      `${JSON.stringify({ servers: servers.map(serverJson), ...others }, undefined, 2)}\n`,
    );
    return exitCode.ok;
  }
  if (servers.length === 0) {
    terminal.stdout.write(
      'This vault has no servers. Add one with: errand servers add NAME -- COMMAND\n',
    );
  } else terminal.stdout.write(asText(servers, terminal.stdout.paint));
  if (discovered !== undefined) terminal.stdout.write(discoveredAsText(discovered.servers));
  return exitCode.ok;
}

/** Waits until every enabled server was checked once or has failed, but not for ever. */
async function connectAll(host: Host, line: ProgressLine, signal: AbortSignal): Promise<void> {
  const impatience = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const enabled = host.servers.list().filter((server) => server.enabled);
  const asked = new Set<string>();
  const isKnown = ({ id }: ServerConfig) => {
    const { connectionState, pingLatency } = host.servers.snapshot(id);
    if (connectionState === 'connected' && pingLatency === undefined && !asked.has(id)) {
      // A first health check, for its latency.
      asked.add(id);
      host.servers.tryNow(id);
    }
    return connectionState === 'error' || pingLatency !== undefined;
  };
  for (const { id } of enabled) void host.servers.tools(id, impatience).catch(() => undefined);
  const isDone = () => {
    const waiting = enabled.filter((server) => !isKnown(server));
    line.show(`waiting for ${waiting.map(({ name }) => name).join(', ')}`);
    return waiting.length === 0;
  };
  await until(host, isDone, impatience);
  signal.throwIfAborted();
}

/** Resolves when something becomes true of the host, or when the signal fires. */
async function until(host: Host, isTrue: () => boolean, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => isTrue() && resolve();
  const unsubscribe = host.events.subscribe(check);
  using _listening = onAbort(signal, () => resolve());
  check();
  await promise;
  unsubscribe();
}

function asText(servers: readonly ServerSnapshot[], paint?: Paint): string {
  const rows = servers.map((server) => [
    server.config.name,
    connectionKind(server.config),
    state(server),
    server.toolCount === undefined ? '' : toolCount(server.toolCount),
    server.pingLatency === undefined ? '' : duration(server.pingLatency),
    server.lastConnectedAt === undefined
      ? 'never connected'
      : `connected ${ago(Date.now() - server.lastConnectedAt)}`,
  ]);
  const tones = servers.map((server) => describe(server).tone);
  const lines = table(rows, paintColumn(paint, 2, tones)).split('\n');
  return servers
    .map(({ reason }, index) => {
      const why = reason === undefined ? '' : advisedText(reason, {}, '  ');
      return `${lines[index]}\n${why}`;
    })
    .join('');
}

function state(server: ServerSnapshot): string {
  return stateLine(describe(server), server, Date.now());
}

function describe(server: ServerSnapshot) {
  return describeServerState(server, { say: ({ message }) => message });
}
