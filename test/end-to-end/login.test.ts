import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  ScriptedHttpServer,
  ScriptedLoginServer,
  scriptedServerConfig,
} from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test('needs approval before a login to a server that came with the vault', patient, async () => {
  await using place = await guardedServer();
  using vault = new TestVault({ servers: [place.entry] });
  const { code, stderr } = await vault.errand('servers', 'login', 'crm');
  expect(code).toBe(2);
  expect(stderr).toContain('errand trust');
  expect([...place.server.requests, ...place.login.requests]).toEqual([]);
});

test('opens the browser for a login only after the host was approved', patient, async () => {
  await using place = await guardedServer();
  using vault = TestVault.trusted({ servers: [place.entry] });
  const opened = browserOf(vault);
  const host = new URL(place.login.url).host;
  const question = new RegExp(`Open ${host} in the browser\\? \\[y/N\\] `);
  using refused = vault.startOnTerminal('errand servers login crm');
  await refused.says(question);
  expect(existsSync(opened)).toBe(false);
  refused.type('n\n');
  await refused.says(/Or paste here the address/);
  const [address = ''] = /http:\S+authorize\S+/.exec(refused.stdout) ?? [];
  await (await fetch(address)).text();
  expect((await refused.ended).stdout).toContain('Logged in to crm.');
  expect(existsSync(opened)).toBe(false);
  using agreed = vault.startOnTerminal('errand servers login crm');
  await agreed.says(question);
  agreed.type('y\n');
  expect((await agreed.ended).stdout).toContain('Logged in to crm.');
  expect(readFileSync(opened, 'utf8')).toContain(`http://${host}/authorize?`);
});

test('without a terminal the address is printed and nothing is opened', patient, async () => {
  await using place = await guardedServer();
  using vault = TestVault.trusted({ servers: [place.entry] });
  const opened = browserOf(vault);
  using login = vault.start('servers', 'login', 'crm');
  await login.says(/Go to:\nhttp:.*\n/);
  login.child.kill('SIGINT');
  expect(await login.ended).toMatchObject({ code: 130 });
  expect(existsSync(opened)).toBe(false);
});

test('a login page that is no page of the web is refused with its host', patient, async () => {
  await using place = await guardedServer();
  place.login.faults.authorizationEndpoint = 'smb://evil.example/share';
  using vault = TestVault.trusted({ servers: [place.entry] });
  const opened = browserOf(vault);
  const { code, stderr } = await vault.errand('servers', 'login', 'crm');
  expect(code).toBe(1);
  expect(stderr).toContain('it is at smb://evil.example, and only https pages are opened');
  expect(existsSync(opened)).toBe(false);
});

/** A browser that visits what it is given, and notes it down in the file that is returned. */
function browserOf(vault: TestVault): string {
  const [program, noted] = [vault.path('browser'), vault.path('opened.txt')];
  const visit = 'fetch(process.argv[1]).then((page) => page.text())';
  const note = `printf '%s' "$1" > '${noted}'`;
  writeFileSync(program, `#!/bin/sh\n${note}\nexec '${process.execPath}' -e '${visit}' "$1"\n`);
  chmodSync(program, 0o755);
  vault.env.BROWSER = program;
  return noted;
}

async function guardedServer() {
  const server = await new ScriptedHttpServer({}, { json: true }).start();
  const login = await new ScriptedLoginServer(server).start();
  const httpConfig = { url: server.url };
  const way = { transport: 'http', deploymentType: 'external', httpConfig } as const;
  return {
    server,
    login,
    entry: scriptedServerConfig({}, { name: 'crm', ...way }),
    async [Symbol.asyncDispose]() {
      await login[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
