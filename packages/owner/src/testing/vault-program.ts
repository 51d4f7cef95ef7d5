import {
  type CallOutcome,
  type ElicitAnswer,
  HostError,
  type Notice,
  type ServerConfig,
  type ToolInvocationRequest,
} from '@errand/host';
import { openSettingsFile } from '@errand/machine/node';
import { openVaultHost, type VaultHost } from '@errand/machine/vault';
import { SharedHost } from '../shared-host.ts';
import type { ProgramOptions, ProgramOrder } from './start-program.ts';

// A program on a vault, which does as its parent says: `node vault-program.ts '{"vault":"/notes",...}'`.

const options = JSON.parse(process.argv[2] ?? '{}') as ProgramOptions;
const notices: Notice[] = [];
const events: string[] = [];
const questions: unknown[] = [];
const calls = new Map<string, AbortController>();
const faults: string[] = [];
process.on('unhandledRejection', (error) => faults.push(`unhandled: ${error}`));

let shared: SharedHost | undefined;
let vault: VaultHost | undefined;
const opening = open();
opening.then(
  () => process.send?.({ isReady: true }),
  (error: unknown) => process.send?.({ failure: String(error) }),
);

process.on('message', async ({ id, order }: { id: number; order: ProgramOrder }) => {
  try {
    report({ id, report: (await carryOut(order)) ?? null });
  } catch (error) {
    report({ id, failure: String(error) });
  }
});

function report(message: object): void {
  if (process.connected) process.send?.(message);
}

async function open(): Promise<void> {
  const { secrets = {}, elicits, program, owns, version = '1.0.0' } = options;
  vault = await openVaultHost({
    folder: options.vault,
    version,
    env: process.env,
    settings: openSettingsFile(options.vault),
    secrets: {
      get: async (name) => secrets[name],
      set: async () => undefined,
      names: async () => Object.keys(secrets),
    },
    notifier: { notify: (notice) => notices.push(notice) },
    ...(elicits && { elicitor: { elicit: (question) => answer(question, elicits) } }),
    trustAll: options.trustAll ?? true,
    share: async (sharing, signal) => {
      shared = await SharedHost.open({ ...sharing, program, version, owns }, signal);
      return shared;
    },
  });
  vault.host.events.subscribe((event) => {
    events.push(event.kind === 'call-finished' ? `finished ${event.request.id}` : event.kind);
  });
}

function answer(question: unknown, how: NonNullable<ProgramOptions['elicits']>) {
  questions.push(question);
  if (how === 'never') return new Promise<ElicitAnswer>(() => {});
  return Promise.resolve<ElicitAnswer>({ action: 'accept', content: { by: how.accept } });
}

async function carryOut(order: ProgramOrder): Promise<unknown> {
  await opening;
  if (vault === undefined || shared === undefined) throw new Error('There is no vault.');
  const { host } = vault;
  switch (order.do) {
    case 'status':
      return { role: shared.role, ...(await shared.status()) };
    case 'role':
      return shared.role;
    case 'call':
      return await call(order.call);
    case 'abort':
      return calls.get(order.call)?.abort();
    case 'seen':
      return { notices, events, questions, faults, memory: process.memoryUsage().rss };
    case 'stop':
      return host.stop();
    case 'resume':
      return host.resume();
    case 'tracker':
      return {
        ...host.tracker,
        activeExecutions: [...host.tracker.activeExecutions],
        calls: host.calls.length,
      };
    case 'start':
      return host.servers.start();
    case 'usage':
      return host.sessions.usage(order.session);
    case 'limit':
      return host.sessions.setLimit(order.session, order.limit);
    case 'reset':
      return host.sessions.reset(order.session);
    case 'close-session':
      return host.sessions.close(order.session);
    case 'follow': {
      const { uri } = order;
      const signal = AbortSignal.timeout(10_000);
      await host.servers.subscribe('scripted', uri, signal);
      const request = { method: 'resources/read', params: { uri } } as const;
      const content = await host.servers.content('scripted', request, signal);
      return { ...content, ...host.servers.progress('scripted').features };
    }
    case 'servers':
      return host.servers.snapshots();
    case 'add':
      return await add(vault, order.server);
    case 'agree':
      return await vault.trust.agree(host.servers.list());
    case 'dispose': {
      const closed = vault[Symbol.asyncDispose]();
      await closed;
      setImmediate(() => process.disconnect());
      return undefined;
    }
  }
}

async function call({ approves, types, ...given }: Extract<ProgramOrder, { do: 'call' }>['call']) {
  const request: ToolInvocationRequest = {
    serverId: 'scripted',
    source: 'command',
    sessionId: given.id,
    parameters: {},
    ...given,
  };
  const controller = new AbortController();
  calls.set(request.id, controller);
  const startedAt = performance.now();
  const outcome: CallOutcome | undefined = await vault?.host.execute(request, {
    signal: controller.signal,
    ...(types && { typeParameters: () => types }),
    ...(approves && {
      approve: async (asked) => {
        questions.push({ approve: asked.id });
        if (approves === 'never') return await new Promise(() => {});
        return approves === 'yes' ? undefined : new HostError('approval_denied', 'No.');
      },
    }),
  });
  if (outcome === undefined) throw new Error('There is no vault.');
  const found = 'result' in outcome ? (outcome.result?.content ?? '') : '';
  const content = typeof found === 'string' ? found : JSON.stringify(found);
  return {
    status: outcome.status,
    ...('error' in outcome && { error: outcome.error }),
    content: content.slice(0, 4_000),
    size: content.length,
    took: performance.now() - startedAt,
  };
}

/** Adds a server as a settings page does. */
async function add({ settings, host }: VaultHost, server: ServerConfig): Promise<void> {
  const saved = await settings.save((current) => ({
    ...current,
    mcpServers: [...current.mcpServers, server],
  }));
  host.servers.apply(saved);
}
