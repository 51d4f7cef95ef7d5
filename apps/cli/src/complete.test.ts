import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type CompletionSource, complete } from './complete.ts';
import { errandProgram } from './errand.ts';

const stream = new PassThrough();
const program = errandProgram({
  terminal: { stdin: stream, stdout: stream, stderr: stream, env: {}, cwd: '/', interrupt() {} },
  signal: AbortSignal.abort(),
  end() {},
});
/** Says what is asked for, and of what. */
const source: CompletionSource = async (kind, { rest, vault = 'here' }) => [
  [kind, ...rest, vault].join('/'),
];

test.each([
  { typed: 'servers --vault work test ', offers: ['server/work'] },
  { typed: 'call --vault work ', offers: ['server/work'] },
  { typed: 'call --timeout 5 ', offers: ['server/here'] },
  { typed: 'call a ', offers: ['tool/a/here'] },
  { typed: 'call a b ', offers: ['parameter/a/b/here'] },
  { typed: 'call a b c=1 ', offers: ['parameter/a/b/c=1/here'] },
  { typed: 'history --server ', offers: ['server/here'] },
  { typed: 'servers show ', offers: ['server/here'] },
  { typed: 'servers ls ', offers: [] },
  { typed: 'servers add ', offers: [] },
  { typed: 'secrets remove ', offers: ['secret/here'] },
  { typed: 'settings set ', offers: ['setting/here'] },
  { typed: 'settings set logDays ', offers: [] },
  { typed: 'ask --assistant ', offers: ['assistant/here'] },
  { typed: 'trust ', offers: ['agreed/here'] },
  { typed: 'trust a ', offers: ['agreed/a/here'] },
  { typed: 'run Note.md --section ', offers: ['section/Note.md/here'] },
  { typed: 'run Note.md --section "sec', offers: ['section/Note.md/here'] },
  { typed: 'servers edit a --deny-tool ', offers: ['tool/a/here'] },
  { typed: 'servers edit --rename ', offers: [] },
  { typed: 'servers edit here --approval ', offers: ['allow', 'always', 'ask', 'deny'] },
  { typed: 'completion ', offers: ['bash', 'fish', 'zsh'] },
  { typed: 'hooks bridge ', offers: ['event', 'install', 'remove'] },
  { typed: 'hooks bridge install c', offers: ['claude', 'codex', 'copilot', 'cursor'] },
  { typed: 'compl', offers: ['completion'] },
  { typed: 'up --print-service ', offers: ['launchd', 'systemd', 'windows'] },
  { typed: 'servers add x -- --', offers: [] },
  { typed: 'secrets set --', offers: ['--all-vaults', '--help', '--json', '--trust', '--vault'] },
])('errand $typed: offers $offers', async ({ typed, offers }) => {
  expect(await complete(program, typed.split(' '), source)).toEqual(offers);
});
