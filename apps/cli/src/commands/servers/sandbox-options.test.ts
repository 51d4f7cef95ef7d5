import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type LaunchOptions, readLaunch, withLaunchOptions } from './launch-options.ts';

/** The entry that a command line makes. */
function read(line: string) {
  let launch: ReturnType<typeof readLaunch> | undefined;
  withLaunchOptions(new Command().argument('<name>'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .action((name: string, command: string[], options: LaunchOptions) => {
      launch = readLaunch(name, command, options);
    })
    .parse(line.split(' '), { from: 'user' });
  return launch;
}

test('a command has a sandbox when it is asked for, with the vault read-only', () => {
  expect(read('a -- x .')?.localConfig).toEqual({ command: 'x', args: ['.'] });
  expect(read('a --sandbox bwrap -- x')?.localConfig?.sandbox).toEqual({
    kind: 'bwrap',
    mounts: [{ source: '.' }],
  });
  const line = 'a --sandbox bwrap --network --mount data:rw --mount /srv/a -- x';
  expect(read(line)?.localConfig?.sandbox).toEqual({
    kind: 'bwrap',
    network: true,
    mounts: [{ source: 'data', writable: true }, { source: '/srv/a' }],
  });
});

test('a container of a sandbox has limits, and shows folders of the vault below /vault', () => {
  const line = 'a --sandbox docker --mount ./data:rw --mount /srv/a --memory 1g --image i:1 -- x';
  expect(read(line)).toEqual({
    name: 'a',
    transport: 'stdio',
    deploymentType: 'managed',
    dockerConfig: {
      image: 'i:1',
      containerName: 'errand-a',
      command: ['x'],
      memory: '1g',
      cpus: 1,
      mounts: [
        { source: './data', target: '/vault/data', writable: true },
        { source: '/srv/a', target: '/srv/a' },
      ],
      network: 'none',
      sandboxed: true,
    },
  });
  const open = read('a --sandbox docker --network -- npx -y x')?.dockerConfig;
  expect(open).toMatchObject({
    image: 'node:24-slim',
    mounts: [{ source: '.', target: '/vault' }],
  });
  expect(open).not.toHaveProperty('network');
});

test.each([
  ['a --sandbox docker -- npx -y x', 'npx downloads what it runs'],
  ['a --sandbox docker -- uvx x', 'Say in which image the command is'],
  ['a --sandbox docker --image i --mount ../x -- y', 'A container has no place for ../x'],
  ['a --sandbox docker --image i --port 80 -- y', '--port does not fit'],
  ['a --network -- x', '--network does not fit a command without --sandbox'],
  ['a --mount . --image i', '--mount does not fit a container without --sandbox docker'],
  ['a --sandbox bwrap --image i', '--sandbox does not fit a container without --sandbox docker'],
  ['a --sandbox bwrap --url https://a.example', '--sandbox does not fit a server with a URL'],
  ['a --sandbox jail -- x', 'Allowed choices are bwrap, docker, none'],
  ['a --sandbox bwrap --mount :rw -- x', 'Write it as a path, or as path:rw.'],
])('refuses %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});
