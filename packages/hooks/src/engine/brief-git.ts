import type { Clock } from '@errand/host';
import type { ContextPorts } from '../definitions/context-fields.ts';

/** How long what git said is taken for true, in milliseconds: a flood of events asks once. */
const trueFor = 200;

/** Asks git the same thing once in a moment. */
export function briefGit(ports: ContextPorts, clock: Pick<Clock, 'monotonic'>): ContextPorts {
  const answers = new Map<
    string,
    { readonly at: number; readonly answer: Promise<string | undefined> }
  >();
  return {
    workspacePath: ports.workspacePath,
    git(args) {
      const key = args.join('\0');
      const now = clock.monotonic();
      const known = answers.get(key);
      if (known !== undefined && now - known.at < trueFor) return known.answer;
      const answer = ports.git(args);
      answers.set(key, { at: now, answer });
      return answer;
    },
  };
}
