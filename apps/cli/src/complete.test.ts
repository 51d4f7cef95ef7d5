import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { complete } from './complete.ts';
import { errandProgram } from './errand.ts';

const stream = new PassThrough();
const program = errandProgram({
  terminal: { stdin: stream, stdout: stream, stderr: stream, env: {}, cwd: '/', interrupt() {} },
  signal: AbortSignal.abort(),
  end() {},
});
const sources = {
  servers: async (vault?: string) => (vault === undefined ? ['here'] : [`in-${vault}`]),
};

test.each([
  { typed: 'servers --vault work test ', offers: ['in-work'] },
  { typed: 'call --vault work ', offers: ['in-work'] },
  { typed: 'call --timeout 5 ', offers: ['here'] },
  { typed: 'call here ', offers: [] },
  { typed: 'history --server ', offers: ['here'] },
  { typed: 'servers edit --rename ', offers: [] },
  { typed: 'servers edit here --approval ', offers: ['allow', 'always', 'ask', 'deny'] },
  { typed: 'completion ', offers: ['bash', 'fish', 'zsh'] },
  { typed: 'compl', offers: ['completion'] },
  { typed: 'up --print-service ', offers: ['launchd', 'systemd', 'windows'] },
  { typed: 'servers add x -- --', offers: [] },
  { typed: 'secrets set --', offers: ['--all-vaults', '--help', '--json', '--trust', '--vault'] },
])('errand $typed: offers $offers', async ({ typed, offers }) => {
  expect(await complete(program, typed.split(' '), sources)).toEqual(offers);
});
