import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { hostileTools } from './hostile-tools.ts';
import { readJournal } from './journal.ts';
import { reachingTools } from './reaching-tools.ts';
import {
  brokenTools,
  type ScriptedTool,
  scriptedTools,
  type ToolContext,
} from './scripted-tools.ts';
import type { JournalLine, ServerScript } from './server-script.ts';

type Json = Readonly<Record<string, unknown>>;
type Id = string | number;

const modern = '2026-07-28';

const builtInTools: Readonly<Record<string, ScriptedTool>> = {
  ...scriptedTools,
  ...hostileTools,
  ...reachingTools,
};

/** The protocol side of the scriptable server: messages in, messages out. No SDK, so that it can lie. */
export class ScriptedSession {
  readonly #script: ServerScript;
  readonly #write: (line: string) => void;
  readonly #running = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, (answer: unknown) => void>();
  #hasExtraTool = false;
  #listener: Id | undefined;
  #questions = 0;

  /** `write` gets whole lines. */
  constructor(script: ServerScript, write: (line: string) => void) {
    this.#script = script;
    this.#write = write;
  }

  /** Whether a client of the newer era listens for changes. */
  get isListenedTo(): boolean {
    return this.#listener !== undefined;
  }

  async take(message: Json): Promise<void> {
    const { id, method, params = {} } = message as { id?: Id; method?: string; params?: Json };
    if (method === undefined) {
      if (id !== undefined) this.#asked.get(id)?.(message.result ?? message.error);
    } else if (id === undefined) {
      this.#takeNotification(method, params);
    } else {
      await this.#answer(id, method, params);
    }
  }

  #takeNotification(method: string, params: Json): void {
    if (method !== 'notifications/cancelled') return;
    const id = params.requestId as Id;
    this.#journal({ kind: 'cancelled', reason: params.reason });
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  async #answer(id: Id, method: string, params: Json): Promise<void> {
    const { startDelay = 0, onStart, initialize, protocolVersion, garbage = [] } = this.#script;
    const isHandshake = method === 'initialize' || method === 'server/discover';
    if (isHandshake) {
      for (const text of garbage) this.#write(text);
      if (onStart === 'hang') return;
      if (startDelay > 0) await setTimeout(startDelay);
    }
    const isModern = protocolVersion === modern;
    if (method === 'initialize' && initialize) return this.#send({ id, ...initialize });
    if (method === 'initialize' && !isModern)
      return this.#send({ id, result: this.#initialize(params) });
    if (method === 'server/discover' && isModern)
      return this.#send({ id, result: this.#discover() });
    if (method === 'ping' && !isModern) return this.#send({ id, result: {} });
    if (method === 'tools/list') return this.#send({ id, result: this.#listTools(params) });
    if (method === 'tools/call') return this.#call(id, params);
    if (method.startsWith('tasks/')) return this.#answerTask(id, method, params);
    if (method === 'subscriptions/listen' && isModern) return this.#listen(id, params);
    if (this.#capabilities().resources !== undefined && method.startsWith('resources/')) {
      return this.#answerResource(id, method, params);
    }
    this.#send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }

  /** A task is done as soon as it is asked for, unless it is to hang. */
  #answerTask(id: Id, method: string, { taskId }: Json): void {
    this.#journal({ kind: 'call', tool: method, arguments: { taskId } });
    if (method === 'tasks/result' && taskId === 'hang') return;
    this.#send({ id, result: { content: [{ type: 'text', text: `done: ${taskId}` }] } });
  }

  /** Every address is a resource whose text is the address, and which changes when it is followed. */
  #answerResource(id: Id, method: string, { uri }: Json): void {
    const contents = [{ uri, text: uri }];
    this.#send({ id, result: method === 'resources/read' ? { contents } : {} });
    if (method !== 'resources/subscribe') return;
    this.#send({ method: 'notifications/resources/updated', params: { uri } });
  }

  #initialize(params: Json): Json {
    const { name = 'scripted', instructions, protocolVersion } = this.#script;
    return {
      protocolVersion: protocolVersion ?? params.protocolVersion,
      capabilities: this.#capabilities(),
      serverInfo: { name, version: '1.0.0' },
      ...(instructions !== undefined && { instructions }),
    };
  }

  #discover(): Json {
    const { name = 'scripted', instructions } = this.#script;
    return this.#complete({
      supportedVersions: [modern],
      capabilities: this.#capabilities(),
      ...(instructions !== undefined && { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name, version: '1.0.0' } },
    });
  }

  #capabilities(): Json {
    return this.#script.capabilities ?? { tools: { listChanged: true } };
  }

  #listTools(params: Json): Json {
    const { pageSize, endlessPages, badSchemas, tools = [] } = this.#script;
    const builtIn = Object.entries(builtInTools).map(([name, { run: _, ...tool }]) => ({
      name,
      ...tool,
    }));
    const extra = { name: 'extra', description: 'New here.', inputSchema: { type: 'object' } };
    const all: readonly Json[] = [
      ...builtIn,
      ...(badSchemas ? brokenTools : []),
      ...tools,
      ...(this.#hasExtraTool ? [extra] : []),
    ];
    const start = Number(params.cursor ?? 0);
    const end = pageSize === undefined ? all.length : start + pageSize;
    const nextCursor = endlessPages ? `${start + 1}` : end < all.length ? `${end}` : undefined;
    return this.#complete({
      tools: endlessPages ? all.slice(0, 1) : all.slice(start, end),
      ...(nextCursor !== undefined && { nextCursor }),
      ...(this.#script.protocolVersion === modern && { ttlMs: 0, cacheScope: 'private' }),
    });
  }

  async #call(id: Id, params: Json): Promise<void> {
    const {
      name,
      arguments: input = {},
      _meta: meta = {},
    } = params as {
      name: string;
      arguments?: Json;
      _meta?: Json;
    };
    this.#journal({ kind: 'call', tool: name, arguments: input });
    const isKnown = this.#script.tools?.some((tool) => tool.name === name) || name === 'extra';
    const tool = builtInTools[name] ?? (isKnown ? scriptedTools.echo : undefined);
    if (tool === undefined) {
      return this.#send({ id, error: { code: -32602, message: `Tool ${name} not found` } });
    }
    const described = this.#script.tools?.find((each) => each.name === name);
    if (described?.execution !== undefined) {
      const task = { taskId: input.text, status: 'working' };
      const error = { code: -32601, message: `Tool ${name} requires task augmentation` };
      return this.#send(params.task === undefined ? { id, error } : { id, result: { task } });
    }
    const isQuestion = name === 'ask' && this.#script.protocolVersion === modern;
    if (isQuestion) return this.#send({ id, result: askInResult(params) });
    const controller = new AbortController();
    this.#running.set(id, controller);
    const result = await tool.run(input, this.#context(id, meta, controller.signal));
    const isCancelled = controller.signal.aborted;
    this.#running.delete(id);
    if (result !== undefined && !isCancelled) this.#send({ id, result: this.#complete(result) });
  }

  #context(id: Id, meta: Json, signal: AbortSignal): ToolContext {
    return {
      id,
      progressToken: meta.progressToken as Id | undefined,
      signal,
      notify: (method, params) => this.#send({ method, params }),
      ask: (method, params) => this.#ask(method, params),
      writeRaw: (text) => this.#write(text),
      changeTools: () => this.#changeTools(),
      timesCalled: (tool) => this.#timesCalled(tool),
      sleep: (milliseconds) => sleep(milliseconds, signal),
    };
  }

  #timesCalled(tool: string): number {
    const { journal } = this.#script;
    return journal === undefined
      ? 0
      : readJournal(journal).filter((line) => line.tool === tool).length;
  }

  #ask(method: string, params: Json): Promise<unknown> {
    this.#questions += 1;
    const id = `question-${this.#questions}`;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }

  #changeTools(): void {
    this.#hasExtraTool = !this.#hasExtraTool;
    const listener = this.#listener;
    const isModern = this.#script.protocolVersion === modern;
    if (isModern && listener === undefined) return;
    const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': listener } };
    this.#send({ method: 'notifications/tools/list_changed', ...(isModern && { params: meta }) });
  }

  #listen(id: Id, params: Json): void {
    this.#listener = id;
    this.#send({
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: params.notifications,
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      },
    });
  }

  #complete(result: Json): Json {
    return this.#script.protocolVersion === modern ? { resultType: 'complete', ...result } : result;
  }

  #send(message: Json): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #journal(line: Omit<JournalLine, 'pid'>): void {
    writeJournal(this.#script, line);
  }
}

/** The newer era asks in the result of the call, and hears the answer when the call is made again. */
function askInResult({ arguments: input = {}, inputResponses, requestState }: Json): Json {
  if (requestState === undefined) {
    return { resultType: 'input_required', inputRequests: { it: input }, requestState: 'asked' };
  }
  const text = JSON.stringify((inputResponses as Json).it);
  return { resultType: 'complete', content: [{ type: 'text', text }] };
}

/** Adds a line to the script's journal, if it keeps one. */
export function writeJournal(
  { journal }: ServerScript,
  line: Omit<JournalLine, 'pid'> & { pid?: number },
): void {
  if (journal === undefined) return;
  appendFileSync(journal, `${JSON.stringify({ pid: process.pid, ...line })}\n`);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => {});
}
