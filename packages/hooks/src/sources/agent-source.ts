import { basename } from 'node:path/posix';
import { openContainedRoot, readFileBelow } from '@errand/files';
import { catchFaults } from '@errand/host';
import type { EventSource, RunningSource, SourcePorts } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import {
  type AgentText,
  agentFileAt,
  agentGlobs,
  endedOperation,
  readAgentText,
} from './agent-operations.ts';
import { coalesce } from './coalesce.ts';
import { type FileChange, FileChanges, noticedIn } from './file-changes.ts';
import type { SourcesPorts } from './sources-ports.ts';

/** An agent writes a file in several edits: it has ended when the file stays as it is for this long, in milliseconds. */
const settleTime = 2_000;
/** Larger files are not read. */
const largestText = 4 * 1024 * 1024;

type AgentPorts = Pick<SourcesPorts, 'folder' | 'clock' | 'chains' | 'turns'>;
type AgentTrigger = Extract<Trigger, { kind: 'agent-operation' }>;

/** Tells of operations of SpecKit and OpenSpec that ended, by the files they write. */
export function agentSource(ports: AgentPorts): EventSource {
  return {
    async start(sourcePorts) {
      const operations = new AgentOperations({ ...ports, ...sourcePorts });
      await operations.refreshed();
      return operations;
    },
  };
}

class AgentOperations implements RunningSource {
  readonly refresh: () => void;
  readonly #ports: AgentPorts & SourcePorts;
  readonly #files: FileChanges;
  readonly #following;
  readonly #reading;
  readonly #texts = new Map<string, AgentText>();
  readonly #changed = new Map<string, FileChange & { readonly last: number }>();
  #triggers: readonly AgentTrigger[] = [];
  #timer: Disposable | undefined;
  #isClosed = false;

  constructor(ports: AgentPorts & SourcePorts) {
    this.#ports = ports;
    this.#following = coalesce(() => this.#follow(), ports.onFault);
    this.#reading = coalesce(() => this.#read(), ports.onFault);
    this.refresh = () => this.refreshed();
    this.#files = new FileChanges({
      ...ports,
      ignored: () => [],
      changed: (changes) => this.#take(changes),
    });
  }

  async refreshed(): Promise<void> {
    this.#following.request();
    await this.#following.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.refreshed();
    await this.#files[Symbol.asyncDispose]();
    this.#timer?.[Symbol.dispose]();
    await this.#reading.idle();
  }

  async #follow(): Promise<void> {
    // What begins, no file tells.
    this.#triggers = (this.#isClosed ? [] : this.#ports.wanted()).flatMap(({ trigger }) =>
      trigger.kind === 'agent-operation' && trigger.timing === 'after' ? [trigger] : [],
    );
    const agents = new Set(this.#triggers.map(({ agent }) => agent));
    await this.#files.want([...agents].flatMap((agent) => agentGlobs[agent]));
    const paths = new Set(this.#files.paths());
    for (const path of this.#texts.keys()) if (!paths.has(path)) this.#texts.delete(path);
    for (const path of paths) {
      if (this.#texts.has(path) || this.#changed.has(path)) continue;
      const text = agentFileAt(path) && (await this.#textOf(path));
      if (text !== undefined) this.#texts.set(path, text);
    }
  }

  #take(changes: readonly FileChange[]): void {
    for (const change of changes) {
      const { path, event } = change;
      if (agentFileAt(path) === undefined) continue;
      if (event === 'deleted') this.#texts.delete(path);
      const since = this.#changed.get(path)?.since ?? change.since;
      this.#changed.set(path, { ...change, since, last: this.#ports.clock.monotonic() });
      this.#arm(settleTime);
    }
  }

  #arm(wait: number): void {
    this.#timer ??= this.#ports.clock.after(wait, () => {
      this.#timer = undefined;
      this.#reading.request();
    });
  }

  async #read(): Promise<void> {
    const now = this.#ports.clock.monotonic();
    let wait = Number.POSITIVE_INFINITY;
    for (const [path, change] of this.#changed) {
      const due = change.last + settleTime;
      if (due > now) wait = Math.min(wait, due - now);
      else {
        this.#changed.delete(path);
        await this.#compare(change);
      }
    }
    if (this.#changed.size > 0) this.#arm(Math.max(1, Math.min(wait, settleTime)));
  }

  async #compare(change: FileChange): Promise<void> {
    const { path, version } = change;
    const file = agentFileAt(path);
    const text = await this.#textOf(path);
    if (file === undefined || text === undefined) return;
    const operation = endedOperation(file, this.#texts.get(path), text);
    this.#texts.set(path, text);
    const isWanted = this.#triggers.some(
      (trigger) => trigger.agent === file.agent && trigger.operation === operation,
    );
    if (operation === undefined || !isWanted) return;
    const { chains, clock, emit, onFault, turns } = this.#ports;
    const told = turns?.tell({ agent: file.agent, operation }) ?? {};
    const chain = chains.ofFile(path, noticedIn(this.#ports.folder)(change));
    catchFaults(
      emit,
      onFault,
    )({
      id: `agent-operation:${operation}:${path}:${version}`,
      kind: 'agent-operation',
      at: clock.now(),
      fields: {
        ...told,
        ...file,
        operation,
        timing: 'after',
        filePath: path,
        fileName: basename(path),
        outputPath: path,
      },
      ...(chain && { chain }),
    });
  }

  async #textOf(path: string): Promise<AgentText | undefined> {
    try {
      const root = openContainedRoot(this.#ports.folder);
      const bytes = await readFileBelow(root, path.split('/'), { maximumSize: largestText });
      return readAgentText(bytes.toString());
    } catch {
      // It was removed meanwhile, cannot be read, or is no text.
      return undefined;
    }
  }
}
