import { expect, test } from 'vitest';
import { browserOpener, openingCommand } from './browser-opener.ts';

const address = 'https://login.example/?a=1&calc.exe&b="x"\\';
const everything = () => true;

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s the address is one argument or input of a program of the system, whatever it holds',
  (platform) => {
    const env = { DISPLAY: ':0', PATH: '.', SystemRoot: 'D:\\Win' };
    const made = openingCommand(env, platform, everything)?.(address);
    expect(made).toEqual(
      {
        linux: { program: '/usr/bin/xdg-open', args: [address] },
        darwin: {
          program: '/usr/bin/osascript',
          args: ['-'],
          input: 'open location "https://login.example/?a=1&calc.exe&b=%22x%22%5C"',
        },
        win32: {
          program: 'D:\\Win\\System32\\rundll32.exe',
          args: ['url.dll,FileProtocolHandler', address],
        },
      }[platform],
    );
  },
);

test('without a desktop nothing is opened, except by a browser that is named with its whole path', () => {
  const opener = (env: Record<string, string>, exists = everything) =>
    openingCommand(env, 'linux', exists)?.(address).program;
  expect(opener({})).toBeUndefined();
  expect(opener({ BROWSER: 'firefox' })).toBeUndefined();
  expect(opener({ BROWSER: './firefox', DISPLAY: ':0' })).toBe('/usr/bin/xdg-open');
  expect(opener({ BROWSER: '/opt/code/browser.sh' })).toBe('/opt/code/browser.sh');
  expect(opener({ DISPLAY: ':0' }, () => false)).toBeUndefined();
  expect(openingCommand({ DISPLAY: ':0' }, 'freebsd', everything)).toBeUndefined();
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://evil.example/', '--help'])(
  '%s is never handed to the desktop',
  (text) => {
    const opener = browserOpener({ env: { BROWSER: process.execPath } }, 'linux');
    expect(() => opener?.open(text)).toThrow('is not a web address');
  },
);
