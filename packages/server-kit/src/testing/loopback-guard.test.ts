import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { expect, test } from 'vitest';
import { createLoopbackGuard } from './loopback-guard.ts';

test('a guarded program reaches this computer and nothing else', async () => {
  using guard = createLoopbackGuard();
  const server = createServer((_request, response) => void response.end('here'));
  const url = urlAt(await listen(server, { port: 0, host: '127.0.0.1' }, () => {}), '/');
  // From a program that the program starts, by everything that Node can connect with.
  const program = `
    const tried = await Promise.allSettled([
      fetch(process.argv[1]).then((answer) => answer.text()),
      fetch(process.argv[1].replace('127.0.0.1', 'localhost')).then((answer) => answer.text()),
      fetch('https://gmail.example/'),
      fetch('http://192.0.2.1/'),
      new Promise((_, reject) => require('node:https').get('https://192.0.2.2/').on('error', reject)),
      new Promise((_, reject) => require('node:net').connect(25, '192.0.2.3').on('error', reject)),
      require('node:dns').promises.resolve('mail.example'),
    ]);
    console.log(JSON.stringify(tried.map(({ value, reason }) => value ?? (reason.cause ?? reason).code)));
  `;
  const starter = `require('node:child_process').execFileSync(process.execPath,
    ['--input-type=commonjs', '-e', '(async () => {' + process.argv[1] + '})()', process.argv[2]], { stdio: 'inherit' })`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', starter, program, url], {
    env: { ...process.env, ...guard.env },
    timeout: 30_000,
  });
  await closeServer(server);
  const no = 'ERR_NOT_LOOPBACK';
  expect(JSON.parse(stdout)).toEqual(['here', 'here', no, no, no, no, no]);
  expect([...guard.refused()].sort()).toEqual([
    'connect 192.0.2.1',
    'connect 192.0.2.2',
    'connect 192.0.2.3',
    'connect gmail.example',
    'resolve mail.example',
  ]);
});
