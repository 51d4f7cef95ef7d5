import { scan } from '@errand/document';
import { runNote, type ServerConfig } from '@errand/host';
import {
  createMemorySecretStore,
  createMemorySettingsStore,
  MemoryAttachments,
  MemoryNotes,
} from '@errand/host/testing';
import { temporaryFolder } from '@errand/machine/testing';
import { openVaultHost } from '@errand/machine/vault';
import { type BenchRow, median } from './bench-row.ts';
import { p50InTurns, warmUp } from './gateway-measure.ts';
import { fixture } from './gateway-target.ts';

const rounds = 15;

/** Notes: reading a large one, and what lies between a block and its server. */
export async function bench(): Promise<BenchRow[]> {
  return [scanRow(), ...(await runRows())];
}

function scanRow(): BenchRow {
  const page = `# Heading\n\nA paragraph with *words* and a [link](note.md), as notes have them.\n\n- an item\n  - another\n\n\`\`\`time\ntool: now\nzone: Asia/Tokyo\n\`\`\`\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
  const text = page.repeat(Math.ceil((10 * 1024 * 1024) / page.length));
  const [ours, peer] = [() => scan(text), () => text.split('\n')].map((work) =>
    median(Array.from({ length: rounds }, () => timed(work))),
  );
  const what = 'notes: scanning 10 MB';
  const row = { what, unit: 'ms', ours: ours ?? Number.NaN, peer: peer ?? Number.NaN } as const;
  const target = '<= 250 ms';
  return { ...row, peerName: 'splitting into lines', target, pass: row.ours <= 250 };
}

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

async function runRows(): Promise<BenchRow[]> {
  await using folder = await temporaryFolder();
  process.env.XDG_STATE_HOME = folder.path;
  const server: ServerConfig = {
    id: 's0',
    name: 's0',
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: fixture(),
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
  const settings = { version: 1, mcpServers: [server], mcpSessionLimit: -1 };
  await using vault = await openVaultHost({
    folder: folder.path,
    version: '0',
    env: process.env,
    settings: createMemorySettingsStore(JSON.stringify(settings)),
    secrets: createMemorySecretStore(),
    notifier: { notify: () => undefined },
    trustAll: true,
  });
  return [await executorRow(vault, server), await executingRow(vault)];
}

type Vault = Awaited<ReturnType<typeof openVaultHost>>;

/** A call through the executor, with its log, beside one of the same connection without it. */
async function executorRow({ host, connectors }: Vault, server: ServerConfig): Promise<BenchRow> {
  const signal = AbortSignal.timeout(120_000);
  const connection = await connectors.local?.connect(server, { signal });
  if (connection === undefined) throw new Error('There is no connector for local servers.');
  await using raw = connection;
  const parameters = { text: 'hello' };
  const calls = {
    ours: async () => {
      const outcome = await host.execute({
        id: crypto.randomUUID(),
        serverId: server.id,
        toolName: 'echo',
        parameters,
        source: 'command',
        sessionId: 'bench',
      });
      if (outcome.status !== 'success') throw new Error(outcome.error.message);
    },
    peer: () => raw.callTool({ tool: 'echo', arguments: parameters }, { signal }),
  };
  await warmUp(calls);
  const p50 = await p50InTurns(calls);
  const what = 'notes: call through the executor, p50';
  const row = { what, unit: 'ms', ...p50, peerName: 'its connection alone' } as const;
  return { ...row, target: '<= 0.30 ms more', pass: p50.ours - p50.peer <= 0.3 };
}

/** From the request to run a note until its block is shown as executing, the server being connected. */
async function executingRow({ host, log }: Vault): Promise<BenchRow> {
  const path = 'note.md';
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const notes = new MemoryNotes({ [path]: '# Note\n\n```s0\ntool: echo\ntext: hello\n```\n' });
    const startedAt = performance.now();
    let executingAt = Number.NaN;
    await runNote(
      { path, sessionId: path },
      { host, notes, log, attachments: new MemoryAttachments() },
      {
        onEvent: (event) => {
          const isExecuting = event.kind === 'state' && event.state.status === 'executing';
          if (isExecuting) executingAt = performance.now();
        },
      },
    );
    times.push(executingAt - startedAt);
  }
  const [ours, peer] = [median(times), 100];
  const what = 'notes: block to "executing"';
  const row = { what, unit: 'ms', ours, peer, peerName: 'target' } as const;
  return { ...row, target: '< 100 ms', pass: ours < peer };
}
