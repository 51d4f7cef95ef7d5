import {
  type AssistantConfig,
  type CallOutcome,
  openToolContext,
  type ServerConfig,
  type Settings,
  systemClock,
  type ToolDescription,
  type ToolHints,
} from '@errand/host';
import {
  createMemorySecretStore,
  type MemoryBehaviour,
  type MemoryHost,
  MemoryNotes,
  memoryHost,
} from '@errand/host/testing';
import { openModel } from '../model/open-model.ts';
import type { Approver } from '../turn/approval.ts';
import type { ConversationEvent, TurnEnd } from '../turn/conversation-event.ts';
import { type ConversePorts, converse, type TurnRequest } from '../turn/converse.ts';
import type { ModelCall } from './model-reply.ts';
import { ModelServer, type Script } from './model-server.ts';

/** A scripted model, in-memory servers, and a turn between them. */
export interface TurnFixture extends AsyncDisposable {
  readonly model: ModelServer;
  readonly memory: MemoryHost;
  readonly notes: MemoryNotes;
  readonly events: ConversationEvent[];
  /** Outcomes of the calls, in the order they ended. */
  outcomes(): readonly CallOutcome[];
  ports(change?: Partial<ConversePorts>): Promise<ConversePorts>;
  ask(options?: AskOptions): Promise<TurnEnd>;
}

interface AskOptions extends Partial<TurnRequest> {
  readonly approver?: Approver;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ConversationEvent) => void;
}

interface TurnFixtureOptions {
  readonly provider?: AssistantConfig['provider'];
  readonly assistant?: Partial<AssistantConfig>;
  readonly script?: readonly Script[];
  readonly servers?: readonly ServerConfig[];
  readonly behaviours?: Readonly<Record<string, MemoryBehaviour>>;
  readonly settings?: Partial<Settings>;
  readonly notes?: Readonly<Record<string, string>>;
  readonly hints?: ToolHints;
}

export async function openTurnFixture(options: TurnFixtureOptions = {}): Promise<TurnFixture> {
  const { provider = 'anthropic', script = [], servers = [], behaviours = {} } = options;
  const model = await ModelServer.open(...script);
  const memory = await memoryHost(servers, options.settings, {
    clock: systemClock,
    ...(options.hints && { hints: options.hints }),
  });
  for (const [id, behaviour] of Object.entries(behaviours)) {
    memory.connector.behaviours.set(id, behaviour);
  }
  const notes = new MemoryNotes(options.notes ?? {});
  const events: ConversationEvent[] = [];
  const ports: TurnFixture['ports'] = async (change = {}) => ({
    model: await openModel(model.assistant(provider, options.assistant), {
      env: {},
      secrets: createMemorySecretStore({ key: 'sk-very-secret' }),
      mayUse: () => undefined,
    }),
    tools: (signal) => {
      const user = { source: 'ai-autonomous', sessionId: 'conversation' } as const;
      return openToolContext(user, { host: memory.host, notes }, signal);
    },
    host: memory.host,
    log: memory.log,
    ...change,
  });
  return {
    model,
    memory,
    notes,
    events,
    outcomes: () => events.flatMap((event) => (event.kind === 'call-ended' ? event.outcome : [])),
    ports,
    ask: async ({ approver, signal = new AbortController().signal, onEvent, ...request } = {}) =>
      converse(
        {
          conversation: 'conversation',
          history: [{ role: 'user', text: 'How warm is it?' }],
          ...request,
        },
        await ports({ ...(approver && { approver }) }),
        {
          signal,
          onEvent: (event) => {
            events.push(event);
            onEvent?.(event);
          },
        },
      ),
    async [Symbol.asyncDispose]() {
      await memory[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** A tool that only reads. */
export function readTool(name: string, change: Partial<ToolDescription> = {}): ToolDescription {
  return {
    name,
    description: `Reads ${name}.`,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    annotations: { readOnlyHint: true },
    ...change,
  };
}

/** A tool that changes something. */
export const writeTool = readTool('write', { annotations: { readOnlyHint: false } });

/** A call as a scripted model asks for it. */
export function call(
  name: string,
  parameters: Readonly<Record<string, unknown>> = { city: 'London' },
): ModelCall {
  return { name, arguments: parameters };
}

/** What the model was sent last, as text. */
export function lastSent({ model }: Pick<TurnFixture, 'model'>): string {
  return JSON.stringify(model.requests.at(-1)?.body);
}
