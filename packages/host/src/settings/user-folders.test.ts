import { expect, test } from 'vitest';
import { userFolders } from './user-folders.ts';

test('follows the XDG folders on Linux', () => {
  const env = { XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative' };
  expect(userFolders({ os: 'linux', home: '/home/a', env })).toEqual({
    state: '/s/errand',
    cache: '/home/a/.cache/errand',
    config: '/home/a/.config/errand',
  });
});

test('uses the Library on macOS', () => {
  expect(userFolders({ os: 'darwin', home: '/Users/a', env: {} })).toEqual({
    state: '/Users/a/Library/Application Support/errand/state',
    cache: '/Users/a/Library/Caches/errand',
    config: '/Users/a/Library/Application Support/errand',
  });
});

test('keeps state local to the machine on Windows', () => {
  const env = { LOCALAPPDATA: 'D:\\Local' };
  expect(userFolders({ os: 'win32', home: 'C:\\Users\\a', env })).toEqual({
    state: 'D:\\Local\\errand\\state',
    cache: 'D:\\Local\\errand\\cache',
    config: 'C:\\Users\\a\\AppData\\Roaming\\errand',
  });
});
