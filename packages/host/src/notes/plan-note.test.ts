import { expect, test } from 'vitest';
import { openNoteFixture } from '../testing/note-fixture.ts';
import { planNote } from './plan-note.ts';

test('a plan tells a reference that the answer shows to be wrong, also when its block would run again', async () => {
  const above = '```a\ntool: echo\ntext: hello\n```\n';
  const below = '```a\ntool: echo\ntext: "{{ blocks.w1.city }}"\n```\n';
  await using fixture = await openNoteFixture(`${above}^w1\n\n${below}`);
  const { memory, notes } = fixture;
  const plan = async () =>
    (await planNote({ path: 'Note.md' }, { host: memory.host, notes }, AbortSignal.timeout(5_000)))
      .blocks[1];
  expect(await plan()).toMatchObject({ error: null });
  await fixture.run({ choice: { blocks: ['^w1'] } });
  expect(await plan()).toMatchObject({
    params: null,
    error: { message: 'Parameter "text": There is no "blocks.w1.city". "blocks.w1" has no parts.' },
  });
});
