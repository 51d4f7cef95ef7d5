import type { Readable, Writable } from 'node:stream';
import { type CommandLine, readCommandLine } from './command-line.ts';
import type { OptionDeclarations, ServerDefinition, StartContext } from './define-server.ts';
import type { HealthReport } from './health-report.ts';
import { type AccessPolicy, readAccessPolicy } from './http/access-policy.ts';
import { type Limits, readLimits } from './limits.ts';
import { LiveServer } from './live-server.ts';
import { createLogger } from './logger.ts';
import type { ServedTransport } from './served-transport.ts';
import type { ServerReport } from './server-report.ts';
import { type ServedStdio, serveStdio } from './stdio/serve-stdio.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServeOptions {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env?: Environment;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  readonly limits?: Partial<Limits>;
  readonly now?: () => number;
  /** The resident memory of this process in bytes. */
  readonly memory?: () => number;
  /** Collects garbage when the server is quiet or memory is short; nothing does it by default. */
  readonly collect?: () => void;
}

export interface RunningServer extends AsyncDisposable {
  /** Settles when the server has stopped, by itself or by `stop`. */
  readonly stopped: Promise<void>;
  /** What the server is and has now: status, transports, sessions, tools. */
  report(): ServerReport;
  health(): Promise<HealthReport>;
  /** Ends the server: no new requests, running ones get a while to finish. */
  stop(): Promise<void>;
}

/** What a server may still do when its only client has gone. */
const farewell = 70;

/** Starts a server on the transports that `argv` names: standard input and output without any. */
export async function serve<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
  options: ServeOptions,
): Promise<RunningServer> {
  const { argv, env = process.env, stderr = process.stderr } = options;
  const { now = Date.now, memory = () => process.memoryUsage.rss(), collect = () => {} } = options;
  const commandLine = readCommandLine(definition.name, definition.options ?? {}, argv, env);
  const policy =
    commandLine.ports.length === 0 ? undefined : readAccessPolicy(commandLine.host, env);
  const limits = readLimits(env, options.limits);
  const log = createLogger(commandLine.logLevel, stderr);
  const stopping = new AbortController();
  const started = await definition.start?.({
    options: commandLine.options as StartContext<D>['options'],
    log,
    signal: stopping.signal,
  });
  const release = async () => {
    stopping.abort();
    await started?.stop?.();
  };
  const parts = started === undefined ? [definition] : [definition, started];
  const { selection } = commandLine;
  const surroundings = { log, limits, now, memory, collect, release, selection };
  const live = await orRelease(release, () => new LiveServer(definition, parts, surroundings));
  const stopped = Promise.withResolvers<void>();
  // Whoever calls `stop` hears of its failure; `stopped` may have no listener at all.
  stopped.promise.catch(() => {});
  const stop = (grace: number) => {
    const stops = live.stop(grace);
    stops.then(stopped.resolve, stopped.reject);
    return stops;
  };

  let stdio: ServedStdio | undefined;
  await live.open([
    () => openPorts(live, commandLine, policy),
    async () => {
      if (!commandLine.isStdio) return [];
      const { stdin = process.stdin, stdout = process.stdout } = options;
      stdio = serveStdio(live, { input: stdin, output: stdout });
      return [stdio];
    },
  ]);
  if (stdio !== undefined && commandLine.ports.length === 0) {
    const endWithClient = async ({ finished }: ServedStdio) => {
      await finished;
      setTimeout(stopped.resolve, farewell);
      await stop(0);
    };
    endWithClient(stdio).catch((error: unknown) => log.error({ err: error }, 'ended badly'));
  }
  const urls = live.transports.flatMap(({ configuration }) => configuration.url ?? []);
  log.info({ server: definition.name, version: definition.version, urls }, 'started');
  return {
    stopped: stopped.promise,
    report: () => live.report(),
    health: async () => (await live.health()).report,
    stop: () => stop(limits.stopGrace),
    [Symbol.asyncDispose]: () => stop(limits.stopGrace),
  };
}

/** Makes something, or gives back what was opened for it. */
async function orRelease<T>(release: () => Promise<void>, make: () => T): Promise<T> {
  try {
    return make();
  } catch (error) {
    await release();
    throw error;
  }
}

/** What speaks HTTP is loaded only by the servers that do, so that the others start sooner. */
async function openPorts(
  live: LiveServer,
  { ports, host }: CommandLine,
  policy: AccessPolicy | undefined,
): Promise<readonly ServedTransport[]> {
  if (policy === undefined) return [];
  const { listenAll } = await import('./http/listen.ts');
  return listenAll(live, ports, host, policy);
}
