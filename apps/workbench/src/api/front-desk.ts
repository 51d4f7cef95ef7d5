import { escapeControls } from '@errand/document/display';
import type { ElicitAnswer, Elicitor, Notifier } from '@errand/host';
import type { AnswerQuestion, Question, WorkbenchEvent } from '../contract.ts';
import { ApiError } from './http/api-error.ts';

/** Where the host tells a person something or asks them: every page that is open. */
export class FrontDesk implements Notifier, Elicitor {
  readonly #asked = new Map<string, Asked>();
  #feed: (event: WorkbenchEvent) => void = () => {};

  /** From now on notices and questions go there. */
  connect(feed: (event: WorkbenchEvent) => void): void {
    this.#feed = feed;
  }

  get questions(): readonly Question[] {
    return [...this.#asked.values()].map(({ question }) => question);
  }

  notify: Notifier['notify'] = ({ level, message, detail = null, server = null }) => {
    const notice = {
      level,
      message: escapeControls(message),
      detail: detail === null ? null : escapeControls(detail),
      server,
    };
    this.#feed({ kind: 'notice', notice });
  };

  elicit: Elicitor['elicit'] = (asked, signal) => {
    const question: Question = { ...asked, id: crypto.randomUUID() };
    const { promise, resolve, reject } = Promise.withResolvers<ElicitAnswer>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    this.#asked.set(question.id, { question, resolve });
    this.#feed({ kind: 'question-asked', question });
    return promise.finally(() => {
      signal.removeEventListener('abort', leave);
      this.#asked.delete(question.id);
      this.#feed({ kind: 'question-closed', id: question.id });
    });
  };

  answer(id: string, { action, content }: AnswerQuestion): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) {
      throw new ApiError('not_found', 'Nobody waits for this answer any more.');
    }
    if (action !== 'accept') asked.resolve({ action });
    else asked.resolve({ action, ...(content && { content: mutable(content) }) });
  }
}

interface Asked {
  readonly question: Question;
  readonly resolve: (answer: ElicitAnswer) => void;
}

type Content = NonNullable<Extract<ElicitAnswer, { readonly action: 'accept' }>['content']>;

function mutable(content: NonNullable<AnswerQuestion['content']>): Content {
  const copy = ([name, value]: [string, Content[string] | readonly string[]]) =>
    [name, typeof value === 'object' ? [...value] : value] as const;
  return Object.fromEntries(Object.entries(content).map(copy));
}
