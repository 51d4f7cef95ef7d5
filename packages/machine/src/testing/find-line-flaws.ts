import { fileURLToPath } from 'node:url';
import type { CallOutcome, Notice } from '@errand/host';
import { createHost, defaultRetryPlan, type Host } from '@errand/host';
import {
  createMemorySettingsStore,
  localServer,
  MemoryCallLog,
  request,
} from '@errand/host/testing';
import { LocalConnector } from '../mcp/local-connector.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import { handshakeFlaw } from './handshake-flaw.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('./fuzzed-server.ts', import.meta.url));
const atOnce = 20;
/** Far more than anything takes here; what reaches it would have waited for ever. */
const deadlineMs = 60_000;
const patient = { connectDeadline: deadlineMs, healthDeadline: deadlineMs };

/**
 * Hostile lines of a real server process that harm a real host: that end it or the connection, that leave a call
 * without an end or without its line in the log, or that it calls a defect of its own.
 */
export async function findLineFlaws(seed: number, count: number): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const flaws: string[] = [];
  const report = (flaw: unknown) => {
    flaws.push(flaw instanceof Error ? `${flaw.stack}` : String(flaw));
  };
  const notifier = {
    notify: ({ level, message, detail }: Notice) => {
      if (level === 'error') report(`${message} ${detail}`);
    },
  };
  const side: McpClientContext = {
    name: 'fuzz',
    version: '0.0.0',
    vaultFolder: folder.path,
    eras: new Map(),
    notifier,
    elicitor: { elicit: async () => ({ action: 'decline' }) },
    canAskCallers: true,
  };
  const local = new LocalConnector({
    host: side,
    childrenFolder: `${folder.path}/children`,
    neutralFolder: folder.path,
  });
  const mcpServers = eras.map((era) =>
    localServer(era, { era, localConfig: { command: process.execPath, args: [program, era] } }),
  );
  const given = { version: 1, mcpServers, mcpSessionLimit: -1, mcpConcurrentLimit: 2 * atOnce };
  const settings = createMemorySettingsStore(JSON.stringify(given));
  const log = new MemoryCallLog();
  process.on('uncaughtException', report).on('unhandledRejection', report);
  try {
    const plan = { ...defaultRetryPlan, ...patient };
    const ports = { settings, connectors: { local }, notifier, log, plan };
    await using host = await createHost(ports);
    host.events.subscribe(({ kind, ...event }) => {
      if (kind === 'server-lost') report(`${kind} ${JSON.stringify(event)}`);
    });
    let at = seed;
    const work = async () => {
      while (at < seed + count && flaws.length < 10) {
        const own = at;
        at += 1;
        const flaw =
          own % 5 === 0
            ? await handshakeFlaw(side, own, deadlineMs)
            : await callFlaw(host, log, own);
        if (flaw !== undefined) report(`seed ${own}: ${flaw}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    process.off('uncaughtException', report).off('unhandledRejection', report);
  }
  return flaws;
}

const eras = ['legacy', 'modern'] as const;

async function callFlaw(host: Host, log: MemoryCallLog, seed: number): Promise<string | undefined> {
  const asked = request({
    serverId: eras[seed % 4 === 0 ? 1 : 0] ?? '',
    toolName: 'fuzz',
    parameters: { seed },
    timeout: deadlineMs,
  });
  const outcome = await host.execute(asked, { onProgress: () => undefined });
  const found = log.records.findIndex(({ id }) => id === asked.id);
  const [line] = found === -1 ? [] : log.records.splice(found, 1);
  if (line?.status !== outcome.status) return `logged as ${line?.status}, not ${outcome.status}`;
  return outcomeFlaw(outcome);
}

function outcomeFlaw(outcome: CallOutcome): string | undefined {
  // Whoever gets it must be able to write it.
  JSON.stringify(outcome);
  if (outcome.status === 'success') return undefined;
  const { code, message } = outcome.error;
  const isExpected = outcome.status === 'error' && codes.has(code) && !/defect/.test(message);
  return isExpected ? undefined : `${outcome.status} ${code}: ${message.slice(0, 500)}`;
}

const codes: ReadonlySet<string> = new Set([
  'tool_failed',
  'tool_not_found',
  'invalid_params',
  'result_too_large',
]);
