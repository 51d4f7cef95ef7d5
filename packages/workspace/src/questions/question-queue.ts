/** Asks a person one question at a time, in the order they came. A dialog or prompt is open until its promise settles. */
export class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Shows a question when its turn comes. Rejects without showing it when the signal is aborted by then. */
  ask<Answer>(show: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    const answer = this.#last.then(() => {
      signal?.throwIfAborted();
      return show();
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}
