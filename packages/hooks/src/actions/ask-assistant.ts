import type { ModelPorts, NoteAnswerPorts } from '@errand/assistant';
import { neutralize } from '@errand/document/display';
import { openToolContext } from '@errand/host';
import { chainSession } from '../hook-chain.ts';
import type { AskAssistant } from './agent-action.ts';

/** What the assistants of the settings need to answer. Without an approver, calls that need one are refused. */
export interface AssistantPorts extends Omit<NoteAnswerPorts, 'model' | 'sessionOf'> {
  readonly models: ModelPorts;
}

/** Asks the assistants of the settings; the calls that they make are in the session of the chain. */
export function assistantsOf({ models, ...ports }: AssistantPorts): AskAssistant {
  return async (assistant, prompt, { note, signal, chain }) => {
    // Loaded when the first hook needs it.
    const { answerInNote, chooseAssistant, converse, openModel } = await import(
      '@errand/assistant'
    );
    const { host, notes } = ports;
    const model = await openModel(
      chooseAssistant(host.servers.settings.assistants, assistant),
      models,
    );
    const sessionId = chainSession(chain);
    const options = { signal, onEvent: () => undefined };
    if (note !== undefined) {
      const { end } = await answerInNote(
        // An event may have brought parts of the prompt, and editors run some of what stands in a note.
        { path: note, question: neutralize(prompt), startsOver: true },
        { ...ports, model, sessionOf: () => sessionId },
        options,
      );
      return end;
    }
    const user = { source: 'ai-autonomous', sessionId } as const;
    return converse(
      { conversation: sessionId, history: [{ role: 'user', text: prompt }] },
      { ...ports, model, tools: (asked) => openToolContext(user, { host, notes }, asked) },
      options,
    );
  };
}
