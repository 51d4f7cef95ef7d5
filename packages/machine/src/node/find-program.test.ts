import { expect, test } from 'vitest';
import { findProgram, programCandidates } from './find-program.ts';

test('takes the first folder that has a program of that name', () => {
  expect(findProgram('sh', ['/nowhere', '/bin', '/usr/bin'])).toBe('/bin/sh');
  expect(findProgram('etc', ['/'])).toBeUndefined();
  expect(findProgram('passwd', ['/etc'])).toBeUndefined();
});

test('tries the file extensions of programs on Windows, in folders only', () => {
  const folders = ['C:\\Program Files\\nodejs', 'D:\\bin'];
  expect(programCandidates('npx', folders, 'win32', '.EXE;.CMD')).toEqual([
    'C:\\Program Files\\nodejs\\npx.EXE',
    'C:\\Program Files\\nodejs\\npx.CMD',
    'D:\\bin\\npx.EXE',
    'D:\\bin\\npx.CMD',
  ]);
  expect(programCandidates('npx.cmd', ['D:\\bin'], 'win32', '.EXE;.CMD')[0]).toBe(
    'D:\\bin\\npx.cmd',
  );
});
