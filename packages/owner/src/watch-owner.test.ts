import { findProcess, pidSpace } from '@errand/files/processes';
import { expect, test } from 'vitest';
import { isStopped } from './watch-owner.ts';

test('takes an owner in another container for busy, not for gone', async () => {
  const gone = { pid: 2 ** 22 + 1, startedAt: 'never' };
  expect(await isStopped({ ...gone, space: pidSpace() })).toBe(true);
  expect(await isStopped({ ...gone, space: 'another container' })).toBe(false);
});

test('tells a running owner from a process that got its id later', async () => {
  const { pid } = process;
  const startedAt = (await findProcess(pid))?.startedAt ?? '';
  expect(await isStopped({ pid, startedAt, space: pidSpace() })).toBe(false);
  expect(await isStopped({ pid, startedAt: 'earlier', space: pidSpace() })).toBe(true);
});
