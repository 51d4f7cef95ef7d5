import { expect, test } from 'vitest';
import { createMailLabels } from './mail-labels.ts';

test('notices within a minute that a label was renamed', async () => {
  let time = 0;
  let name = 'Done';
  let lists = 0;
  const api = {
    listLabels: async () => {
      lists += 1;
      return { labels: [{ id: 'L1', name }] };
    },
    createLabel: async (given: string) => ({ id: 'L2', name: given }),
  };
  const labels = createMailLabels(api, () => time);
  const { signal } = new AbortController();
  expect(await labels.ensure('done', signal)).toMatchObject({ id: 'L1', created: false });
  name = 'Archive';
  time = 59_000;
  expect(await labels.ensure('done', signal)).toMatchObject({ id: 'L1' });
  expect(lists).toBe(1);
  time = 60_000;
  expect(await labels.ensure('done', signal)).toMatchObject({ id: 'L2', created: true });
  expect(await labels.namesOf(['L1', 'L2'], signal)).toEqual(['Archive', 'done']);
  expect(lists).toBe(2);
});
