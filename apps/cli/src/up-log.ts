import { duration } from '@errand/document/display';
import type { HookEngineEvent, HookRun } from '@errand/hooks';
import {
  briefFailure,
  type Host,
  type HostEvent,
  type Notice,
  type Notifier,
  type ServerSnapshot,
} from '@errand/host';
import type { FaceInfo, ServiceEvent, Sharing } from '@errand/owner';
import { describeCall } from '@errand/workspace/activity';
import { joinSentences } from '@errand/workspace/advice';
import { outcomeLabels } from '@errand/workspace/runs';
import { serverJson, toolCount } from '@errand/workspace/servers';
import { advisedText } from './advice.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';
import { describeProgram } from './visit-vault.ts';

/** Reports what happens in a vault that `errand up` owns. */
export interface UpLog extends Notifier {
  onFace(change: 'attached' | 'left', face: FaceInfo): void;
  /** Reports that this program does its work from now on. */
  ready(facts: Readonly<Record<string, unknown>>, text: string): void;
  /** Reports where the metrics are. */
  tellMetrics(url: string): void;
  /** Reports that the vault is owned, and from then on every event of its host. */
  follow(vault: string, host: Host, sharing: Sharing): Disposable;
}

/** An event with the sentence for people; undefined where a notice says it, or nobody needs to read it. */
interface Entry {
  readonly json: { readonly event: string; readonly [field: string]: unknown };
  readonly text?: string | undefined;
  readonly advice?: Notice['advice'];
}

/** Writes events as sentences to standard error, or with `json` as one JSON object per line to standard output. */
export function upLog({ stdout, stderr }: Terminal, json = false): UpLog {
  const write = ({ json: { event, ...fields }, text, advice = [] }: Entry) => {
    const at = new Date().toISOString();
    if (json) stdout.write(`${JSON.stringify({ event, at, ...fields })}\n`);
    else if (text !== undefined) {
      const message = `${at.slice(0, 19).replace('T', ' ')} ${text}`;
      stderr.write(advisedText({ message, advice }, stderr));
    }
  };
  return {
    notify: (notice) => write(noticeEntry(notice)),
    onFace: (state, { program, version, pid }) =>
      write({
        json: { event: 'face', state, program, version, pid },
        text: `${describeProgram({ program, version, pid })} ${state === 'left' ? 'left' : 'attached'}.`,
      }),
    ready: (facts, text) =>
      write({ json: { event: 'ready', ...facts, version, pid: process.pid }, text }),
    tellMetrics: (url) =>
      write({
        json: { event: 'metrics', url: `${url}/metrics` },
        text: `Metrics are at ${url}/metrics.`,
      }),
    follow(vault, host, sharing) {
      const { pid } = process;
      write({
        json: { event: 'ready', vault, program: 'up', version, pid },
        text: `The servers of ${vault} run until this program is stopped (process ${pid}).`,
      });
      const servers = new Map<string, string>();
      let { role } = sharing;
      const unsubscribe = host.events.subscribe((event) => {
        if (event.kind === 'settings-changed' && sharing.role !== role) {
          role = sharing.role;
          write(ownerEntry(role));
        }
        const entry = event.kind === 'server-changed' ? news(event.snapshot) : entryOf(event, host);
        if (entry !== undefined) write(entry);
      });
      /** A health check also changes a server, though not its state. */
      function news(snapshot: ServerSnapshot): Entry | undefined {
        const { id } = snapshot.config;
        const { retryState, toolCount: tools, reason } = snapshot;
        const state = stateOf(snapshot);
        const key = JSON.stringify([state, retryState.currentAttempt, tools, reason?.code]);
        if (servers.get(id) === key) return undefined;
        servers.set(id, key);
        return serverEntry(snapshot, state);
      }
      const unfollow = sharing.serviceEvents.subscribe(({ service, event }) => {
        const entry = service === 'hooks' ? hookEntry(event) : undefined;
        if (entry !== undefined) write(entry);
      });
      return {
        [Symbol.dispose]: () => {
          unsubscribe();
          unfollow();
        },
      };
    },
  };
}

/** Runs that have ended; that one waits or works, nobody needs to read. */
function hookEntry(event: ServiceEvent['event']): Entry | undefined {
  const { kind, run } = event as unknown as HookEngineEvent & { readonly run?: HookRun };
  if (kind !== 'run-changed' || run?.endedAt === undefined) return undefined;
  const { id, hookName: hook, status, startedAt, endedAt, message } = run;
  const durationMs = endedAt - startedAt;
  const ended = `Hook ${hook}: ${status} after ${duration(durationMs)}`;
  return {
    json: { event: 'hook', run: id, hook, status, durationMs, message },
    text: message === undefined ? `${ended}.` : `${ended}: ${message}`,
  };
}

function entryOf(event: HostEvent, host: Host): Entry | undefined {
  switch (event.kind) {
    case 'call-started': {
      const call = describeCall(event.request, host.servers);
      const { server, tool, note, line, source } = call;
      const place = note === null ? source : `${note}${line === null ? '' : `:${line}`}`;
      return {
        json: { event: 'call', state: 'started', ...call },
        text: `${server} ${tool} started (${place}).`,
      };
    }
    case 'call-finished': {
      const call = describeCall(event.request, host.servers);
      const { status, durationMs } = event.outcome;
      const error = event.outcome.status === 'success' ? null : briefFailure(event.outcome.error);
      const ended = `${call.server} ${call.tool} ${outcomeLabels[status]} after ${duration(durationMs)}`;
      return {
        json: { event: 'call', state: 'finished', ...call, status, durationMs, error },
        text: error === null ? `${ended}.` : `${ended}: ${error.message}`,
      };
    }
    case 'calls-stopped':
    case 'calls-resumed': {
      const stopped = event.kind === 'calls-stopped';
      const text = stopped ? 'Calls are stopped in every program.' : 'Calls run again.';
      return { json: { event: 'calls', stopped }, text };
    }
    default:
      return undefined;
  }
}

function noticeEntry({ level, message, detail, advice, server }: Notice): Entry {
  const json = { event: 'notice', level, message, detail, server, advice };
  // The line of the connection says it too.
  if (server !== undefined && level === 'info') return { json };
  const text = joinSentences(message, detail === undefined ? [] : [detail]);
  return { json, text, ...(advice && { advice }) };
}

function ownerEntry(role: Sharing['role']): Entry {
  const text =
    role === 'own'
      ? 'This program runs the servers of the vault again.'
      : 'Another program has taken over the servers of the vault. This one takes its place when it ends.';
  return { json: { event: 'owner', isOwner: role === 'own' }, text };
}

type State =
  | 'idle'
  | 'connecting'
  | 'connected'
  | 'retrying'
  | 'failed'
  | 'given-up'
  | 'disabled'
  | 'needs-approval';

function stateOf(server: ServerSnapshot): State {
  if (server.trust !== 'trusted') return 'needs-approval';
  if (server.autoDisabled) return 'given-up';
  if (!server.enabled) return 'disabled';
  if (server.connectionState === 'connected') return 'connected';
  if (server.retryState.isRetrying) return 'retrying';
  if (server.connectionState === 'error') return 'failed';
  return server.connectionState === 'connecting' ? 'connecting' : 'idle';
}

/** Notices tell people of losses and failures. */
function serverEntry(server: ServerSnapshot, state: State): Entry {
  const { name } = server.config;
  const tools = server.toolCount === undefined ? '' : `, with ${toolCount(server.toolCount)}`;
  const texts: Partial<Record<State, string>> = {
    connected: `Server ${name} is connected${tools}.`,
    disabled: `Server ${name} is disabled.`,
  };
  return { json: { event: 'server', state, ...serverJson(server) }, text: texts[state] };
}
