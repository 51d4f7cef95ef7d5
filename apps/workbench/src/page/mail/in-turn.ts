/**
 * Makes work run one at a time: whoever asks while it runs shares one more run after it. An answer is so never older than
 * the question, and many questions in a row keep none from being answered.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running.then(() => {
      next = undefined;
      return running ?? start();
    });
    return next;
  };
}
