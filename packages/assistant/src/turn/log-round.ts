import type { CallRecord, ErrorInfo, ModelRound, TokenCount } from '@errand/host';
import type { ConversePorts, TurnRequest } from './converse.ts';

/** A request to a model that has ended. */
interface RoundRecord extends TurnRequest, RoundResult {
  readonly round: number;
  readonly started: number;
  readonly words: string;
}

export interface RoundResult {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly tokens?: TokenCount;
  /** Why it failed. */
  readonly message?: string;
}

/** Puts a request to a model into the call log: the assistant as the server, the model as the tool. */
export function logRound(
  record: RoundRecord,
  ports: Pick<ConversePorts, 'model' | 'log' | 'clock'>,
): void {
  const { conversation, round, started, words, status, tokens, message } = record;
  const { name, model } = ports.model.config;
  ports.log.append({
    ...common(record, started, ports),
    id: crypto.randomUUID(),
    server: name,
    tool: model,
    status,
    startedAt: started,
    attempts: [{ startedAt: started }],
    resultBytes: new TextEncoder().encode(words).byteLength,
    conversation,
    round,
    ...(tokens && { tokens }),
    ...(message !== undefined && { error: { code: 'server_unavailable', message } }),
  });
}

/** Logs a requested call that could not be attempted. */
export function logRejectedCall(
  record: Omit<TurnRequest, 'conversation'> &
    Pick<CallRecord, 'id' | 'server' | 'tool'> & {
      readonly error?: ErrorInfo;
      readonly round: ModelRound;
    },
  ports: ConversePorts,
): void {
  const { id, server, tool, error, round } = record;
  ports.log.append({
    ...common(record, ports.clock?.now() ?? 0, ports),
    id,
    server,
    tool,
    status: 'error',
    attempts: [],
    resultBytes: 0,
    conversation: round.conversation,
    round: round.number,
    ...(round.tokens && { tokens: round.tokens }),
    ...(error && { error }),
  });
}

function common(
  { place }: Pick<TurnRequest, 'place'>,
  submittedAt: number,
  { clock }: Pick<ConversePorts, 'clock'>,
) {
  const { path, line } = place?.() ?? {};
  return {
    source: 'ai-autonomous',
    ...(path !== undefined && { note: path }),
    ...(line !== undefined && { line }),
    parameters: {},
    submittedAt,
    completedAt: clock?.now() ?? submittedAt,
  } as const;
}
