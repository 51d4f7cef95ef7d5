import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ErrorInfo,
  HostEvent,
  Notice,
  ServerConfig,
  ServerSnapshot,
  SessionUsage,
  ToolInvocationRequest,
} from '@errand/host';
import { type ServerScript, scriptedServerConfig } from '@errand/machine/testing';
import type { OwnerStatus } from '../protocol.ts';
import type { SharePorts } from '../share-ports.ts';
import type { Sharing } from '../shared-host.ts';
import { type TemporaryVault, temporaryVault } from './temporary-vault.ts';

/** What a program on a vault is like. */
export interface ProgramOptions {
  readonly vault: string;
  readonly program: string;
  readonly version?: string;
  readonly owns: SharePorts['owns'];
  readonly secrets?: Readonly<Record<string, string>>;
  /** How its person answers questions; without it nobody is there to answer. */
  readonly elicits?: 'never' | { readonly accept: string };
  readonly trustAll?: boolean;
}

export type CallOrder = Partial<ToolInvocationRequest> &
  Pick<ToolInvocationRequest, 'id' | 'toolName'> & {
    readonly approves?: 'yes' | 'no' | 'never';
    readonly types?: Readonly<Record<string, unknown>>;
  };

/** What a program is told to do. */
export type ProgramOrder =
  | { readonly do: 'call'; readonly call: CallOrder }
  | { readonly do: 'abort'; readonly call: string }
  | { readonly do: 'usage' | 'reset' | 'close-session'; readonly session: string }
  | { readonly do: 'limit'; readonly session: string; readonly limit: number }
  | { readonly do: 'follow'; readonly uri: string }
  | { readonly do: 'add'; readonly server: ServerConfig }
  | {
      readonly do:
        | 'role'
        | 'status'
        | 'seen'
        | 'stop'
        | 'resume'
        | 'tracker'
        | 'start'
        | 'servers'
        | 'agree'
        | 'dispose';
    };

/** The end of a call, as a program reports it. */
export interface ReportedCall {
  readonly status: string;
  readonly error?: ErrorInfo;
  readonly content?: string;
  readonly size?: number;
  /** Milliseconds. */
  readonly took: number;
}

interface Reports {
  role: Sharing['role'];
  status: { readonly role: Sharing['role'] } & Partial<OwnerStatus>;
  call: ReportedCall;
  usage: SessionUsage;
  /** The resource that is followed. */
  follow: unknown;
  seen: {
    readonly notices: readonly Notice[];
    readonly events: readonly (HostEvent['kind'] | string)[];
    readonly questions: readonly unknown[];
    readonly faults: readonly string[];
    readonly memory: number;
  };
  tracker: { readonly stopped: boolean; readonly totalExecuted: number; readonly calls: number };
  servers: readonly ServerSnapshot[];
}

type ReportOf<Kind extends ProgramOrder['do']> = Kind extends keyof Reports
  ? Reports[Kind]
  : undefined;

/** A process on a vault. Disposing it kills it. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Rejects when it could not open its vault. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended by whatever cause. */
  readonly exited: Promise<unknown>;
  /** Carries an order out; rejects when no report comes within 60 s. */
  tell<Order extends ProgramOrder>(order: Order): Promise<ReportOf<Order['do']>>;
  call(call: CallOrder): Promise<ReportedCall>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
}

/** A vault with a scriptable server, and programs on it. Disposing it kills them all. */
export interface ProgramVault extends TemporaryVault {
  readonly journal: string;
  /** Starts a program, as another user where one is given. */
  start(options?: Partial<ProgramOptions>, uid?: number): Program;
  /** Writes the settings file as another program does. */
  writeSettings(text: string): Promise<void>;
  /** The settings with these servers. */
  settingsWith(...servers: readonly ServerConfig[]): string;
}

/** A scriptable server's entry with a fixed id. */
export function scriptedEntry(
  script: ServerScript,
  entry: Partial<ServerConfig> = {},
): ServerConfig {
  return scriptedServerConfig(script, { id: 'scripted', ...entry });
}

export async function programVault(
  script: ServerScript = {},
  settings: object = {},
): Promise<ProgramVault> {
  const folder = await temporaryVault();
  const journal = join(folder.path, 'journal.jsonl');
  const programs = new Set<Program>();
  await mkdir(join(folder.vault, '.errand'));
  await writeFile(journal, '');
  const settingsWith = (...mcpServers: readonly ServerConfig[]) =>
    JSON.stringify({ version: 1, ...settings, mcpServers });
  const writeSettings = (text: string) =>
    writeFile(join(folder.vault, '.errand', 'settings.json'), text);
  await writeSettings(settingsWith(scriptedEntry({ journal, ...script })));
  return {
    ...folder,
    journal,
    settingsWith,
    writeSettings,
    start(options, uid) {
      const program = startProgram(
        { vault: folder.vault, program: 'serve', owns: 'first', ...options },
        { ...process.env, XDG_STATE_HOME: folder.path, XDG_RUNTIME_DIR: '' },
        uid,
      );
      programs.add(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...programs].map((each) => each.kill()));
      await folder[Symbol.asyncDispose]();
    },
  };
}

function startProgram(options: ProgramOptions, env: NodeJS.ProcessEnv, uid?: number): Program {
  const path = new URL('./vault-program.ts', import.meta.url);
  const child = fork(path, [JSON.stringify(options)], {
    execArgv: [],
    env,
    ...(uid !== undefined && { uid }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // One for each order that is not reported yet.
  child.setMaxListeners(0);
  const exited = once(child, 'exit');
  const ready = told(child, (message) => message.id === undefined).then(() => undefined);
  // Who kills it does not wait for it.
  ready.catch(() => undefined);
  let lastId = 0;
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const tell: Program['tell'] = (order) => {
    const id = ++lastId;
    const report = told(child, (message) => message.id === id, order.do);
    child.send({ id, order }, () => undefined);
    // Who kills it does not wait for its reports.
    report.catch(() => undefined);
    return report as never;
  };
  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    tell,
    call: (call) => tell({ do: 'call', call }),
    signal: (name) => void child.kill(name),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

interface Message {
  readonly id?: number;
  readonly report?: unknown;
  readonly failure?: string;
}

function told(
  child: ChildProcess,
  isWanted: (message: Message) => boolean,
  what = 'being ready',
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(
    () => reject(new Error(`no report of ${what} from ${child.pid}`)),
    60_000,
  );
  const onMessage = (message: unknown) => {
    const { failure, report, ...rest } = message as Message;
    if (!isWanted(message as Message)) return;
    if (failure === undefined) resolve(report);
    else reject(new Error(failure, { cause: rest }));
  };
  const onExit = () => reject(new Error(`${child.pid} ended before it reported ${what}`));
  child.on('message', onMessage).on('exit', onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
  });
}
