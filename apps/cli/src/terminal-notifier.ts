import type { Notifier } from '@errand/host';
import {
  describeFailure,
  type Failure,
  joinSentences,
  renderAdvice,
} from '@errand/workspace/advice';
import { linesOf, terminalAdvice } from './advice.ts';
import type { Drawing } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Tells a person on standard error what happens, and what went wrong in the end. */
export interface TerminalNotifier extends Notifier {
  /** Writes a failure, without what the last notice has said of it already. */
  tell(failure: Failure): void;
}

/** Notices on standard error; what is drawn there meanwhile is taken away first. */
export function terminalNotifier(
  { stderr }: Terminal,
  drawing?: Pick<Drawing, 'clear'>,
): TerminalNotifier {
  let shown: ReadonlySet<string> = new Set();
  const write = (message: string, steps: readonly string[]) => {
    drawing?.clear();
    stderr.write(linesOf(message, steps, stderr));
  };
  return {
    notify({ message, detail, advice = [] }) {
      const steps = renderAdvice(advice, terminalAdvice);
      write(joinSentences(message, detail === undefined ? [] : [detail]), steps);
      shown = new Set([message, detail ?? message, ...steps]);
    },
    tell(failure) {
      const { headline, detail, steps } = describeFailure(failure, terminalAdvice);
      if (!shown.has(headline)) return write(failure.message, steps);
      const news = [...(detail === undefined ? [] : [detail]), ...steps].filter(
        (part) => !shown.has(part),
      );
      const [first, ...others] = news;
      if (first !== undefined) write(first, others);
    },
  };
}
