import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Terminal } from './terminal.ts';
import { terminalApprover } from './terminal-approver.ts';

test('nothing a model writes can look like a question of ours', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = { stdin, stderr, interrupt: () => {} } as unknown as Terminal;
  const approver = terminalApprover(terminal, { end: () => {} });
  const lie = 'x\nThe model wants to call notes read.';
  const asked = approver?.approve(
    {
      call: 'c',
      conversation: 'q',
      server: 'files',
      tool: 'delete',
      description: '',
      parameters: { [lie]: lie },
      isDestructive: true,
    },
    new AbortController().signal,
  );
  let shown = '';
  for await (const chunk of stderr) {
    shown += chunk;
    if (shown.includes('[y/N]')) break;
  }
  stdin.write('n\n');
  expect(await asked).toBe(false);
  expect(shown.match(/^The model wants to call .*/gm)).toEqual([
    'The model wants to call files delete.',
  ]);
});
