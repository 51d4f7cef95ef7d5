import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { AgentVerdict } from '@errand/hooks';
import {
  type AgentEvent,
  type AgentProgram,
  agentAnswer,
  isAgentProgram,
  promptSeconds,
  readAgentEvent,
  readChain,
} from '@errand/hooks/bridge';
import { denialText } from './denial-text.ts';

export interface BridgeEventOptions {
  readonly vault?: string;
  /** Whether an agent may not go on when nobody runs hooks. */
  readonly strict?: boolean;
}

interface BridgePorts {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** `errand hooks bridge event AGENT`, without the rest of the command line: agents wait for it. */
export async function startBridgeEvent(args: readonly string[]): Promise<void> {
  const program = args.find((arg) => isAgentProgram(arg)) as AgentProgram | undefined;
  if (program === undefined) {
    process.stderr.write('Name the agent: errand hooks bridge event claude|copilot|cursor|codex\n');
    process.exitCode = 2;
    return;
  }
  const at = args.indexOf('--vault') + 1;
  const vault = at > 0 ? args[at] : undefined;
  const options = { strict: args.includes('--strict'), ...(vault !== undefined && { vault }) };
  // There is nobody left to tell.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const { stdin, stdout, stderr, env } = process;
  const signal = parentSignal();
  await bridgeEvent(program, options, { stdin, stdout, stderr, env, cwd: process.cwd(), signal });
}

/**
 * Hands what an agent says on standard input to the owner of the vault, and answers in the form that the agent
 * understands. When the owner is not there or cannot answer, the agent goes on, unless the options are strict.
 */
export async function bridgeEvent(
  program: AgentProgram,
  { vault, strict = false }: BridgeEventOptions,
  { stdin, stdout, stderr, env, cwd, signal }: BridgePorts,
): Promise<void> {
  const payload = await readPayload(stdin);
  const event = readAgentEvent(program, payload);
  // Prompts that begin no operation end here, which is nearly all of them.
  if (event === undefined)
    return write(agentAnswer({ program, phase: phaseOf(payload) }, payload, undefined));
  const folder = vault === undefined ? findVault(event.cwd ?? cwd) : resolve(cwd, vault);
  const verdict = await tellOwner(event, folder, env, signal).catch(() => undefined);
  const denial = verdict === undefined ? (strict ? unheard : undefined) : denialText(verdict);
  write(agentAnswer(event, payload, event.phase === 'begin' ? denial : undefined));

  function write(answer: { readonly stdout: string; readonly stderr: string }): void {
    if (answer.stdout !== '') stdout.write(answer.stdout);
    if (answer.stderr !== '') stderr.write(answer.stderr);
  }
}

const unheard = 'No program runs the hooks of this vault. Start one with: errand up';

/** Cursor wants an answer to each prompt. */
function phaseOf(payload: unknown): AgentEvent['phase'] {
  return typeof payload === 'object' && payload !== null && 'prompt' in payload ? 'begin' : 'end';
}

const largestInput = 1024 * 1024;
const inputMs = 10_000;

/** What an agent says; undefined when it is too long, too late, or no JSON. */
async function readPayload(stdin: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => stdin.destroy(), inputMs);
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > largestInput) return undefined;
      chunks.push(bytes);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    stdin.destroy();
  }
}

/** The nearest vault upward; undefined when it has no hooks. */
function findVault(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const isVault = ['.errand', '.obsidian'].some((name) => isFolder(join(folder, name)));
    if (isVault) return existsSync(join(folder, '.errand', 'hooks.json')) ? folder : undefined;
    if (dirname(folder) === folder) return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Milliseconds in which the owner answers: less than the agent waits. */
const beginMs = (promptSeconds - 15) * 1_000;
const endMs = 10_000;

/** Undefined when nobody runs the hooks of the vault. */
async function tellOwner(
  event: AgentEvent,
  folder: string | undefined,
  env: BridgePorts['env'],
  signal: AbortSignal,
): Promise<AgentVerdict | undefined> {
  if (folder === undefined) return undefined;
  const [{ visitOwner }, { vaultState }] = await Promise.all([
    import('@errand/owner'),
    import('@errand/services/state'),
  ]);
  const { lease } = await vaultState(folder, env);
  const patience = event.phase === 'begin' ? beginMs : endMs;
  const chain = readChain(env);
  const { cwd: _, ...told } = event;
  const params = { ...told, patience, ...(chain && { chain: { ...chain } }) };
  const request = { service: 'hooks', method: 'bridge', params };
  const visit = await visitOwner(lease, { request, signal, patience: patience + 5_000 });
  return visit.status === 'answered' ? (visit.value as AgentVerdict) : undefined;
}

/** Aborts when the agent that started this process is gone: nobody waits for an answer any more. */
function parentSignal(): AbortSignal {
  const gone = new AbortController();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone.abort();
  }, 500);
  timer.unref();
  return gone.signal;
}
