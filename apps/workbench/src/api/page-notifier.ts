import { escapeControls } from '@errand/document/display';
import type { ElicitAnswer, Elicitor, Notifier } from '@errand/host';
import { PendingQuestions } from '@errand/workspace/questions';
import { z } from 'zod';
import type { Question, WorkbenchEvent } from '../contract.ts';
import { ApiError } from './http/api-error.ts';

/** A person's answer to a question; `content` goes with `accept`. */
export const answerSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]),
    )
    .readonly()
    .exactOptional(),
});
type AnswerQuestion = z.output<typeof answerSchema>;

/** Shows the host's notices and questions in every open page. */
export class PageNotifier implements Notifier, Elicitor {
  readonly #questions = new PendingQuestions<Question, ElicitAnswer>({
    onAsked: (question) => this.#feed({ kind: 'question-asked', question }),
    onClosed: ({ id }) => this.#feed({ kind: 'question-closed', id }),
  });
  #feed: (event: WorkbenchEvent) => void = () => {};

  /** Sets where notices and questions are published from now on. */
  connect(feed: (event: WorkbenchEvent) => void): void {
    this.#feed = feed;
  }

  get questions(): readonly Question[] {
    return this.#questions.list;
  }

  notify: Notifier['notify'] = ({ level, message, detail = null, advice, server = null }) => {
    const notice = {
      level,
      message: escapeControls(message),
      detail: detail === null ? null : escapeControls(detail),
      ...(advice && { advice }),
      server,
    };
    this.#feed({ kind: 'notice', notice });
  };

  elicit: Elicitor['elicit'] = (asked, signal) =>
    this.#questions.ask({ ...asked, id: crypto.randomUUID() }, signal);

  answer(id: string, { action, content }: AnswerQuestion): void {
    const answer: ElicitAnswer =
      action === 'accept' ? { action, ...(content && { content: mutable(content) }) } : { action };
    if (this.#questions.answer(id, answer)) return;
    throw new ApiError('not_found', 'This question is no longer open.');
  }
}

type Content = NonNullable<Extract<ElicitAnswer, { readonly action: 'accept' }>['content']>;

function mutable(content: NonNullable<AnswerQuestion['content']>): Content {
  const copy = ([name, value]: [string, Content[string] | readonly string[]]) =>
    [name, typeof value === 'object' ? [...value] : value] as const;
  return Object.fromEntries(Object.entries(content).map(copy));
}
