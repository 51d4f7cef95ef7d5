import { isAbsolute, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { systemProgram } from './system-program.ts';

test('names the programs of the system by their full path', () => {
  expect(isAbsolute(systemProgram('ps'))).toBe(true);
  for (const env of [{}, { SystemRoot: 'D:\\Windows' }, { SystemRoot: 'vault' }]) {
    for (const name of ['powershell', 'taskkill'] as const) {
      expect(win32.isAbsolute(systemProgram(name, env))).toBe(true);
    }
  }
  expect(systemProgram('taskkill', { SystemRoot: 'D:\\Windows' })).toBe(
    'D:\\Windows\\System32\\taskkill.exe',
  );
});
