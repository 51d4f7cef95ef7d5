import { escapeControls } from '@errand/document/display';
import type { ElicitAnswer, Elicitor, Notifier } from '@errand/host';
import { PendingQuestions } from '@errand/workspace/questions';
import type { AnswerQuestion, Question, WorkbenchEvent } from '../contract.ts';
import { ApiError } from './http/api-error.ts';

/** Where the host tells a person something or asks them: every page that is open. */
export class FrontDesk implements Notifier, Elicitor {
  readonly #questions = new PendingQuestions<Question, ElicitAnswer>({
    onAsked: (question) => this.#feed({ kind: 'question-asked', question }),
    onClosed: ({ id }) => this.#feed({ kind: 'question-closed', id }),
  });
  #feed: (event: WorkbenchEvent) => void = () => {};

  /** From now on notices and questions go there. */
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
    throw new ApiError('not_found', 'Nobody waits for this answer any more.');
  }
}

type Content = NonNullable<Extract<ElicitAnswer, { readonly action: 'accept' }>['content']>;

function mutable(content: NonNullable<AnswerQuestion['content']>): Content {
  const copy = ([name, value]: [string, Content[string] | readonly string[]]) =>
    [name, typeof value === 'object' ? [...value] : value] as const;
  return Object.fromEntries(Object.entries(content).map(copy));
}
