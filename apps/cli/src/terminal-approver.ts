import type { ApprovalQuestion, Approver } from '@errand/assistant';
import { harmlessText } from '@errand/host/words';
import { askYes } from './ask.ts';
import type { Terminal } from './terminal.ts';

/** Asks the person at the terminal, one question after the other; nothing where nobody sits at one. */
export function terminalApprover(
  terminal: Terminal,
  drawing: { end(): void },
): Approver | undefined {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    approve(question, signal) {
      const turn = last.then(() => {
        signal.throwIfAborted();
        drawing.end();
        stderr.write(harmlessText(describe(question)));
        return askYes('Allow it?', terminal, signal);
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

function describe({
  server,
  tool,
  description,
  parameters,
  isDestructive,
}: ApprovalQuestion): string {
  const lines = Object.entries(parameters).map(
    ([name, value]) => `  ${written(name)}: ${written(value)}\n`,
  );
  const [about = ''] = description.trim().split('\n');
  const warning = isDestructive ? 'It may change or delete something.\n' : '';
  return `\nThe model wants to call ${server} ${tool}.${about && ` ${about}`}\n${lines.join('')}${warning}`;
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replaceAll('\n', '\n    ');
}
