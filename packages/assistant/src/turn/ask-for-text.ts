import { type CallLog, type Clock, HostError, systemClock, type TokenCount } from '@errand/host';
import { explainModelFailure } from '../model/model-failure.ts';
import type { OpenModel } from '../model/open-model.ts';
import { askModel } from './ask-model.ts';
import { logRound } from './log-round.ts';
import { userMessage } from './messages.ts';

/** A question to a model that gets no tools. */
export interface TextQuestion {
  readonly instructions: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** Names the conversation in the log. */
  readonly conversation: string;
}

export interface AskedText {
  readonly text: string;
  readonly isRefused: boolean;
  readonly tokens?: TokenCount;
}

/**
 * Asks a model once for a text, without tools, and puts the request into the call log. Rejects with `server_unavailable`
 * and the reason when it gives no answer.
 */
export async function askForText(
  question: TextQuestion,
  {
    model,
    log,
    clock = systemClock,
  }: {
    readonly model: OpenModel;
    readonly log: Pick<CallLog, 'append' | 'keepResult'>;
    readonly clock?: Clock;
  },
  signal: AbortSignal,
): Promise<AskedText> {
  const started = clock.now();
  let text = '';
  const write = (record: {
    readonly status: 'success' | 'error' | 'cancelled';
    readonly tokens?: TokenCount;
    readonly message?: string;
  }) => {
    const { conversation } = question;
    const entry = { conversation, history: [], round: 1, started, words: text, ...record };
    logRound(entry, { model, log, clock });
  };
  try {
    const { finish, tokens } = await askModel(
      model,
      {
        instructions: question.instructions,
        tools: [],
        messages: question.messages.map((message) =>
          message.role === 'user'
            ? userMessage(message.text)
            : { role: 'assistant', content: [{ type: 'text', text: message.text }] },
        ),
      },
      {
        signal,
        clock,
        onText: (piece) => {
          text += piece;
        },
        onNotice: () => {},
      },
    );
    write({ status: 'success', ...(tokens && { tokens }) });
    return { text, isRefused: finish === 'content-filter', ...(tokens && { tokens }) };
  } catch (error) {
    if (signal.aborted) {
      write({ status: 'cancelled' });
      throw error;
    }
    const { message, advice } = explainModelFailure(error, model, text !== '');
    write({ status: 'error', message });
    const options = { cause: error, ...(advice && { advice }) };
    throw new HostError('server_unavailable', message, {}, options);
  }
}
