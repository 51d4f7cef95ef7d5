import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalled, temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { modernRequest } from './testing/open-test-gateway.ts';
import { addressOf, RawClient, spawnTestProgram, textOf } from './testing/spawn-test-program.ts';

test.each(['legacy', 'modern'] as const)(
  'a call of the %s era that is under way at the end is answered with an error',
  async (era) => {
    await using folder = await temporaryFolder();
    const journal = join(folder.path, 'journal');
    writeFileSync(journal, '');
    await using program = spawnTestProgram({ servers: { a: { journal } }, over: 'http' });
    using client = new RawClient(await addressOf(program));
    const { body, headers } = modernRequest('tools/call', { name: 'a__hang', arguments: {} });
    if (era === 'legacy') await client.initialize();
    const call =
      era === 'legacy'
        ? client.post('tools/call', { name: 'a__hang', arguments: {} })
        : client.send(body, headers);
    await journalled(journal, ({ tool }) => tool === 'hang', AbortSignal.timeout(10_000));
    program.child.stdin.end();
    expect(JSON.parse(await textOf(await call))).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('Errand is shutting down.') },
    });
  },
);
