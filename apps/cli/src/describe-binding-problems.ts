import type { BindingProblem } from '@errand/document';
import { messageText } from './message-text.ts';

/** Mistakes in the bindings of a note, one on each line, each with its place. */
export function describeBindingProblems(note: string, problems: readonly BindingProblem[]): string {
  return problems
    .map(({ line, message }) => {
      const place = line === null ? note : `${note}:${line}`;
      return messageText(`${place}: ${message}`);
    })
    .join('');
}
