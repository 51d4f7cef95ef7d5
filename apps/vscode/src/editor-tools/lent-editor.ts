import {
  type Host,
  HostError,
  type LentServer,
  type OnFault,
  type RawToolResult,
} from '@errand/host';
import { describeEditorTools, type EditorTool, readToolResult } from './editor-tool.ts';

/** The tools of an editor, and the way to call them. */
export interface EditorTools {
  list(): readonly EditorTool[];
  /** Resolves with the parts of the answer; `undefined` when a person refused the call, or the tool gave it up. */
  invoke(tool: string, input: object, signal: AbortSignal): Promise<readonly unknown[] | undefined>;
}

/** The name by which blocks reach the tools of the editor. */
const editorName = 'editor';

/** Lends the tools of an editor to a vault for as long as it is not disposed of. A server of the same name goes before. */
export class LentEditor implements Disposable {
  readonly #host: Pick<Host, 'servers' | 'events'>;
  readonly #tools: EditorTools;
  readonly #onFault: OnFault;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #server: LentServer;
  #known: string;
  #lease: Disposable | undefined;
  #isLending = false;
  #isOpen = true;

  /** The editor does not tell when its tools change: they are compared every so many milliseconds. */
  constructor(
    host: Pick<Host, 'servers' | 'events'>,
    tools: EditorTools,
    onFault: OnFault,
    lookMs = 2_000,
  ) {
    this.#host = host;
    this.#tools = tools;
    this.#onFault = onFault;
    this.#known = this.#look();
    this.#server = {
      id: editorName,
      name: editorName,
      listTools: async () => describeEditorTools(tools.list()),
      callTool: (call, signal) => callEditorTool(tools, call, signal),
      onToolsChanged: (listener) => void this.#listeners.add(listener),
    };
    // Another window or an entry of the settings may have the name, and give it up.
    this.#unsubscribe = host.events.subscribe(({ kind }) => {
      if (kind === 'settings-changed') void this.#lend();
    });
    this.#timer = setInterval(() => this.#compare(), lookMs);
    void this.#lend();
  }

  [Symbol.dispose](): void {
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#listeners.clear();
    this.#lease?.[Symbol.dispose]();
  }

  async #lend(): Promise<void> {
    if (!this.#isOpen || this.#isLending) return;
    if (this.#host.servers.find(editorName) !== undefined) return;
    this.#isLending = true;
    try {
      this.#lease?.[Symbol.dispose]();
      const lease = await this.#host.servers.lend(this.#server);
      if (this.#isOpen) this.#lease = lease;
      else lease[Symbol.dispose]();
    } catch (error) {
      // The name was taken meanwhile, or the owner of the vault has gone: both are told as a change of the settings.
      if (!(error instanceof HostError) && this.#isOpen) this.#onFault(error);
    } finally {
      this.#isLending = false;
    }
  }

  #compare(): void {
    const known = this.#look();
    if (known === this.#known) return;
    this.#known = known;
    for (const listener of this.#listeners) listener();
  }

  #look(): string {
    return this.#tools
      .list()
      .map(({ name }) => name)
      .join('\n');
  }
}

async function callEditorTool(
  tools: EditorTools,
  { tool, arguments: input }: Parameters<LentServer['callTool']>[0],
  signal: AbortSignal,
): Promise<RawToolResult> {
  const failed = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });
  try {
    const parts = await tools.invoke(tool, input, signal);
    signal.throwIfAborted();
    if (parts !== undefined) return readToolResult(parts);
    return failed(`"${tool}" was not allowed in the dialog of the editor, or has ended itself.`);
  } catch (error) {
    signal.throwIfAborted();
    return failed(error instanceof Error ? error.message : String(error));
  }
}
