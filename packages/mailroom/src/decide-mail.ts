import { type DecisionPrompt, decisionPrompt } from './decision-prompt.ts';
import { readDecision } from './decision-schema.ts';
import type { GatedMail } from './mail-note.ts';
import {
  type DecidedMail,
  decideByRules,
  judge,
  type RuleContext,
  settingsPart,
} from './mail-rules.ts';

/** What a model is sent: the mail, and its own wrong answers with what was wrong. */
export interface ModelQuestion extends Pick<DecisionPrompt, 'instructions'> {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

/** What a model said, and which it was. */
export interface ModelAnswer {
  readonly text: string;
  /** `provider:model` */
  readonly by: string;
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** Asks the model of the settings once. Rejects when it did not answer; what it said is for others to judge. */
export type AskModel = (question: ModelQuestion, signal: AbortSignal) => Promise<ModelAnswer>;

/** What a decision depends on besides the mail. */
export interface DecideContext extends RuleContext {
  readonly ask: AskModel;
  readonly minConfidence: number;
  readonly about?: string | undefined;
  /** What a person adds when they ask again. */
  readonly note?: string | undefined;
  /** Characters that nobody can guess. */
  readonly mark: string;
  readonly monotonic: () => number;
}

/** No usable decision came, however often the model was asked. */
export interface Undecided {
  readonly failure: string;
  readonly by: string;
  readonly iterations: number;
}

/** Corrections of an answer that cannot be used. */
const mostCorrections = 5;

/** Decides about a mail: by the rules, else by a model whose answers are corrected up to five times. */
export async function decideMail(
  mail: GatedMail,
  context: DecideContext,
  signal: AbortSignal,
): Promise<DecidedMail | Undecided> {
  const ruled = decideByRules(mail, context);
  if (ruled !== undefined) return ruled;
  const { ask, mark, about, note, monotonic } = context;
  const { instructions, question, isCut } = decisionPrompt(mail, { mark, about, note });
  const messages: ModelQuestion['messages'][number][] = [{ role: 'user', text: question }];
  const started = monotonic();
  const tokens = { input: 0, output: 0 };
  let last = { by: 'model', mistake: '' };
  for (let iterations = 1; iterations <= mostCorrections + 1; iterations += 1) {
    const answer = await ask({ instructions, messages }, signal);
    tokens.input += answer.tokens?.input ?? 0;
    tokens.output += answer.tokens?.output ?? 0;
    const read = readDecision(answer.text);
    if ('decision' in read) {
      const asked = {
        by: answer.by,
        iterations,
        tokens,
        latencyMs: Math.round(monotonic() - started),
        isCut,
      };
      const judged = judge(read.decision, mail, asked, context.minConfidence);
      return { ...judged, ...settingsPart(mail, context) };
    }
    last = { by: answer.by, mistake: read.mistake };
    // The mail stays above: a correction without it would let the model guess.
    messages.push(
      { role: 'assistant', text: answer.text.slice(0, 4_000).trim() || '(nothing)' },
      {
        role: 'user',
        text: `That cannot be used: ${read.mistake}. Answer again with the JSON object alone.`,
      },
    );
  }
  const failure = `The model gave no usable decision in ${mostCorrections + 1} attempts. The last: ${last.mistake}`;
  return { failure, by: last.by, iterations: mostCorrections + 1 };
}
