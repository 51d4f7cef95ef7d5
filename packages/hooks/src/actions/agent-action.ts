import type { TurnEnd } from '@errand/assistant';
import type { Chain } from '../hook-event.ts';
import type { ActionContext, ActionRunner } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { carryOut, failed, refuse } from './action-error.ts';
import { openRenderer } from './renderer.ts';

/** Lets an assistant of the settings answer, in a note when one is given. Rejects with a `HostError`. */
export type AskAssistant = (
  assistant: string,
  prompt: string,
  options: AskOptions,
) => Promise<TurnEnd>;

export interface AskOptions {
  /** Path in the vault; question and answer are written into it. */
  readonly note?: string;
  readonly signal: AbortSignal;
  /** The calls that the assistant makes belong to it. */
  readonly chain: Chain;
}

/** Gives a prompt to one of the settings' assistants. */
export function agentRunner(ask: AskAssistant | undefined): ActionRunner<'agent'> {
  return {
    run: ({ parameters }, context) => {
      const timeout = 'command' in parameters ? undefined : parameters.timeout;
      return carryOut(context, { timeout }, async (signal) => {
        const { question, problems } = planQuestion(parameters, context);
        if (question === undefined) throw failed('editor_only', problems.join('\n'));
        refuse(problems);
        if (ask === undefined) throw failed('no_assistant', noAssistant);
        const { assistant, prompt, note } = question;
        const { chain } = context;
        const end = await ask(assistant, prompt, { ...(note && { note }), signal, chain });
        signal.throwIfAborted();
        const { text, calls, rounds, tokens, state, message, code } = end;
        const output = { text, calls, rounds, tokens, ...(note && { note }) };
        if (state === 'answered') return { status: 'success', output };
        const why = message ?? `The assistant ended with "${state}".`;
        const status = state === 'cancelled' ? 'cancelled' : 'failure';
        throw failed(code ?? state, why, { status, output });
      });
    },
    preview: async ({ parameters }, context) => {
      const { question, problems } = planQuestion(parameters, context);
      const missing = question !== undefined && ask === undefined ? [noAssistant] : [];
      return { resolved: { ...(question ?? parameters) }, problems: [...problems, ...missing] };
    },
    // A model may call tools, and writes into a note.
    isRepeatable: () => false,
  };
}

const noAssistant = 'This program has no assistants. Run the hook where notes are open or served.';

interface Question {
  readonly assistant: string;
  readonly prompt: string;
  readonly note?: string;
}

function planQuestion(
  parameters: ActionOf<'agent'>['parameters'],
  { fields }: ActionContext,
): { readonly question?: Question; readonly problems: readonly string[] } {
  if ('command' in parameters) return { problems: [chatOnly] };
  const { assistant, prompt, note } = parameters;
  const { problems, text } = openRenderer(fields);
  const question = {
    assistant: text('assistant', assistant),
    prompt: text('prompt', prompt),
    ...(note !== undefined && { note: text('note', note) }),
  };
  if (question.prompt.trim() === '' && problems.length === 0) problems.push('"prompt" is empty.');
  return { question, problems };
}

const chatOnly =
  'A chat command runs only inside an editor that has a chat, and this is none. Write "assistant" and "prompt" in place of "command" to ask an assistant of the settings.';
