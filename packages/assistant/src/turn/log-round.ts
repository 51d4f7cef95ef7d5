import type { TokenCount } from '@errand/host';
import type { ConversePorts, TurnRequest } from './converse.ts';

/** A request to a model that has ended. */
export interface RoundRecord extends TurnRequest, RoundEnding {
  readonly round: number;
  readonly started: number;
  readonly words: string;
}

export interface RoundEnding {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly tokens?: TokenCount;
  /** Why it failed. */
  readonly message?: string;
}

/** Puts a request to a model into the call log: the assistant as the server, the model as the tool. */
export function logRound(record: RoundRecord, { model, log, clock }: ConversePorts): void {
  const { conversation, round, started, words, status, tokens, message } = record;
  const place = record.place?.();
  log.append({
    id: crypto.randomUUID(),
    source: 'ai-autonomous',
    server: model.config.name,
    tool: model.config.model,
    ...(place && { note: place.path }),
    ...(place?.line !== undefined && { line: place.line }),
    parameters: {},
    status,
    submittedAt: started,
    startedAt: started,
    completedAt: clock?.now() ?? started,
    attempts: [{ startedAt: started }],
    resultBytes: new TextEncoder().encode(words).byteLength,
    conversation,
    round,
    ...(tokens && { tokens }),
    ...(message !== undefined && { error: { code: 'server_unavailable', message } }),
  });
}
