import { findProcess, parseProcessList, processTable } from '@errand/files/processes';
import { expect, test } from 'vitest';
import { membersOf } from './end-process-tree.ts';

const tree = { pid: 100, startedAt: 'monday', mark: 'ours' };
const leader = { pid: 100, group: 100, startedAt: 'monday', isStopped: false, marks: ['ours'] };

test('counts the group of a child and whoever carries its mark as its tree', () => {
  const inGroup = { pid: 101, group: 100, startedAt: 'monday', isStopped: false, marks: [] };
  const escaped = {
    pid: 102,
    group: 102,
    startedAt: 'monday',
    isStopped: false,
    marks: ['outer', 'ours'],
  };
  const stranger = {
    pid: 103,
    group: 103,
    startedAt: 'monday',
    isStopped: false,
    marks: ['theirs'],
  };
  const nobody = { pid: 104, group: 104, startedAt: 'monday', isStopped: false, marks: [] };
  const table = [leader, inGroup, escaped, stranger, nobody];
  expect(membersOf(tree, table)).toEqual([leader, inGroup, escaped]);
});

test('counts what remains of a group whose leader has gone', () => {
  const left = { pid: 101, group: 100, startedAt: 'monday', isStopped: false, marks: [] };
  expect(membersOf(tree, [left])).toEqual([left]);
});

test('does not count a group that another process leads by now', () => {
  const other = { pid: 100, group: 100, startedAt: 'tuesday', isStopped: false, marks: [] };
  const escaped = {
    pid: 102,
    group: 102,
    startedAt: 'monday',
    isStopped: false,
    marks: ['outer', 'ours'],
  };
  expect(membersOf(tree, [other, { ...other, pid: 101 }, escaped])).toEqual([escaped]);
});

test('finds this process in the table, by the same name as when asked for it alone', async () => {
  const self = await findProcess(process.pid);
  expect(self?.startedAt).toMatch(/\S/);
  const table = await processTable({ startedAt: '' });
  expect(table.find(({ pid }) => pid === process.pid)?.startedAt).toBe(self?.startedAt);
});

test('reads the list that ps prints, without zombies', () => {
  const list = [
    '    1     1 Ss   Sun Nov 15 08:00:00 2026',
    '  417   400 S+   Sun Nov 15 08:01:02 2026    ',
    '  418   400 Z    Sun Nov 15 08:01:03 2026',
    '',
  ].join('\n');
  expect(parseProcessList(list)).toEqual([
    { pid: 1, group: 1, startedAt: 'Sun Nov 15 08:00:00 2026', isStopped: false, marks: [] },
    { pid: 417, group: 400, startedAt: 'Sun Nov 15 08:01:02 2026', isStopped: false, marks: [] },
  ]);
});
