import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { describeService, type Service } from './describe-service.ts';

const odd = `a b %h $HOME $\{x} & <c> "d" \\"e" 'f' ; é 日本 🎉 \\`;

test.each(['systemd', 'launchd', 'windows'] as const)(
  'a description for %s starts the program again when it failed, and gives back odd names as they are',
  (manager) => {
    const { text } = describeService(manager, service(`/home/me/${odd}`));
    const read = { systemd: readUnit, launchd: readPlist, windows: readTask }[manager](text);
    expect(read).toEqual({
      command: ['/opt/my node', '/opt/it\'s "errand".js', 'up', '--vault', `/home/me/${odd}`],
      restarts: true,
    });
  },
);

test('a program whose name systemd refuses is started by another one', () => {
  const command = ["/opt/o'node", 'main.js'] as const;
  const { text } = describeService('systemd', { ...service('/notes'), command });
  expect(readUnit(text).command).toEqual(['/usr/bin/env', ...command]);
});

test('systemd and launchd are given the variables, and their values as they are', () => {
  const unit = describeService('systemd', service('/notes')).text;
  const settings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, value = '']) =>
    unitWords(value),
  );
  expect(settings).toEqual(['PATH=/bin:/opt/50% & "more"/bin', 'XDG_STATE_HOME=/a\\b']);
  const plist = describeService('launchd', service('/notes')).text;
  const [, variables = ''] =
    /<key>EnvironmentVariables<\/key>\s*<dict>(.*?)<\/dict>/s.exec(plist) ?? [];
  expect(elements(variables, 'string')).toEqual(['/bin:/opt/50% & "more"/bin', '/a\\b']);
});

test('what is written in XML is ASCII, so that no shell can spoil it', () => {
  for (const manager of ['launchd', 'windows'] as const) {
    expect(describeService(manager, service(`/${odd}`)).text).toMatch(/^[\n\x20-\x7e]*$/);
  }
});

test.each([
  { manager: 'windows', vault: 'C:\\100%PATH%', reason: 'take a part of it for a variable' },
  { manager: 'windows', vault: 'C:\\$(Arg0)', reason: 'take a part of it for a variable' },
  { manager: 'launchd', vault: '/a\u0001b', reason: 'XML cannot hold one of its characters' },
  { manager: 'windows', vault: 'C:\\a\ud800b', reason: 'XML cannot hold one of its characters' },
] as const)('$vault is refused for $manager, and why', ({ manager, vault, reason }) => {
  expect(() => describeService(manager, service(vault))).toThrow(reason);
});

test('names differ between folders of the same name, and hold nothing that needs quotes', () => {
  const names = ['/a/My Notes!', '/b/My Notes!', 'C:\\My Notes!\\', `/${odd}`, '/日本', '/'].map(
    (vault) => describeService('systemd', service(vault)).name,
  );
  expect(new Set(names).size).toBe(6);
  expect(names[0]).toMatch(/^errand-my-notes-[0-9a-f]{8}$/);
  for (const name of names) expect(name).toMatch(/^errand(-[a-z0-9]+)+$/);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd finds the program at its odd path, and nothing to complain of',
  async () => {
    await using folder = await temporaryFolder();
    // systemd takes neither quotes nor backslashes in the name of a program.
    let program = join(folder.path, odd.replace(/["'\\]/g, ''));
    mkdirSync(join(folder.path, 'home'));
    writeFileSync(program, '#!/bin/sh\n');
    const verify = () => {
      const { name, text } = describeService('systemd', {
        ...service(`/home/me/${odd}`),
        command: [program, 'up', '--vault', `/home/me/${odd}\n\t`],
      });
      const unit = join(folder.path, `${name}.service`);
      writeFileSync(unit, text);
      const env = { ...process.env, XDG_RUNTIME_DIR: folder.path, HOME: join(folder.path, 'home') };
      const args = ['--user', '--recursive-errors=no', 'verify', unit];
      return spawnSync('systemd-analyze', args, { encoding: 'utf8', env });
    };
    expect(verify().stderr).toContain(`Command ${program} is not executable`);
    chmodSync(program, 0o755);
    expect(verify()).toMatchObject({ status: 0, stderr: '' });
    program = join(folder.path, odd);
    expect(verify()).toMatchObject({ status: 0, stderr: '' });
  },
);

test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'a property list and a task are read by a parser as they were meant',
  () => {
    const script = `
import json, plistlib, sys, xml.etree.ElementTree as tree
texts = json.load(sys.stdin)
ns = '{http://schemas.microsoft.com/windows/2004/02/mit/task}'
task = tree.fromstring(texts['windows'])
wide = tree.fromstring(texts['windows'].encode('utf-16'))
read = lambda root, name: next(root.iter(ns + name)).text
json.dump({
  'launchd': plistlib.loads(texts['launchd'].encode()),
  'windows': [read(root, name) for root in (task, wide) for name in ('Command', 'Arguments', 'UserId')],
}, sys.stdout)`;
    const described = (manager: 'launchd' | 'windows') =>
      describeService(manager, service(`/home/me/${odd}`)).text;
    const input = JSON.stringify({ launchd: described('launchd'), windows: described('windows') });
    const { stdout, stderr } = spawnSync('python3', ['-c', script], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { launchd, windows } = JSON.parse(stdout);
    const { command, env } = service(`/home/me/${odd}`);
    expect(launchd).toMatchObject({
      ProgramArguments: command,
      EnvironmentVariables: env,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
    });
    const [program, ...args] = command;
    expect(windows[0]).toBe(program);
    expect(windowsWords(windows[1])).toEqual(args);
    expect(windows[2]).toBe('HOME\\me & you');
    expect(windows.slice(3)).toEqual(windows.slice(0, 3));
  },
);

function service(vault: string): Service {
  return {
    vault,
    command: ['/opt/my node', '/opt/it\'s "errand".js', 'up', '--vault', vault],
    env: { PATH: '/bin:/opt/50% & "more"/bin', XDG_STATE_HOME: '/a\\b' },
    home: '/home/me',
    account: 'HOME\\me & you',
  };
}

function readUnit(text: string) {
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(text) ?? [];
  const [program = '', ...args] = unitWords(line);
  expect(program[0]).toBe(':');
  return { command: [program.slice(1), ...args], restarts: /^Restart=on-failure$/m.test(text) };
}

/** The words of a setting, as systemd reads them: quotes, escapes of C, specifiers. */
function unitWords(line: string): readonly string[] {
  const words = line.match(/"(?:\\.|[^"\\])*"/g) ?? [];
  expect(words.join(' ')).toBe(line);
  return words.map((word) => {
    const plain = word
      .slice(1, -1)
      .replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, code?: string, other?: string) =>
        code === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
      );
    expect(plain.replaceAll('%%', '')).not.toContain('%');
    return plain.replaceAll('%%', '%');
  });
}

function readPlist(text: string) {
  const [, array = ''] = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/s.exec(text) ?? [];
  const restarts = /<key>KeepAlive<\/key>\s*<dict>\s*<key>SuccessfulExit<\/key>\s*<false\/>/;
  return { command: elements(array, 'string'), restarts: restarts.test(text) };
}

function readTask(text: string) {
  const [program = ''] = elements(text, 'Command');
  const [args = ''] = elements(text, 'Arguments');
  const restarts = text.includes('<RestartOnFailure>');
  return { command: [program, ...windowsWords(args)], restarts };
}

function elements(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<>]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
  );
}

/** The words of a command line, as Windows' own `CommandLineToArgvW` reads them. */
function windowsWords(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (const [part] of line.matchAll(/\\*"|\\+| +|[^\\" ]+/g)) {
    if (part.endsWith('"')) {
      const backslashes = part.length - 1;
      word += '\\'.repeat(backslashes / 2);
      if (backslashes % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
    } else if (part.startsWith(' ') && !isQuoted) {
      words.push(word);
      word = '';
    } else word += part;
  }
  return [...words, word];
}
