import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findEngine, isOnThisMachine } from './engine-address.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'errand-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe('DOCKER_HOST', () => {
  test.each([
    ['unix:///run/my.sock', { socketPath: '/run/my.sock' }, true],
    ['tcp://127.0.0.1:2375', { host: '127.0.0.1', port: 2375 }, true],
    ['tcp://builder.example', { host: 'builder.example', port: 2375 }, false],
    ['tcp://[::1]:9999', { host: '::1', port: 9999 }, true],
    ['npipe:////./pipe/docker_engine', { socketPath: '\\\\.\\pipe\\docker_engine' }, true],
  ])('reads %s', (name, expected, isNear) => {
    const address = findEngine({ HOME: home, DOCKER_HOST: name });
    expect(address).toEqual({ name, ...expected });
    expect(isOnThisMachine(address)).toBe(isNear);
  });

  test('uses certificates when DOCKER_TLS_VERIFY is set', () => {
    write('.docker/ca.pem', 'authority');
    const env = { HOME: home, DOCKER_HOST: 'tcp://builder.example', DOCKER_TLS_VERIFY: '1' };
    expect(findEngine(env)).toMatchObject({
      port: 2376,
      tls: { rejectUnauthorized: true, ca: Buffer.from('authority') },
    });
  });

  test('says what to do instead of SSH', () => {
    const env = { HOME: home, DOCKER_HOST: 'ssh://me@builder.example' };
    expect(() => findEngine(env)).toThrow(/Forward its socket \(ssh -L/);
  });

  test('refuses what is no address', () => {
    expect(() => findEngine({ HOME: home, DOCKER_HOST: 'localhost' })).toThrow(
      '"localhost" is not the address of a Docker engine. Write DOCKER_HOST as unix://',
    );
  });
});

describe('a context', () => {
  const id = createHash('sha256').update('remote').digest('hex');
  const meta = (endpoint: object) => JSON.stringify({ Endpoints: { docker: endpoint } });

  test('is the one that the docker command uses', () => {
    write('.docker/config.json', '{ "currentContext": "remote" }');
    write(`.docker/contexts/meta/${id}/meta.json`, meta({ Host: 'unix:///run/other.sock' }));
    expect(findEngine({ HOME: home })).toMatchObject({ socketPath: '/run/other.sock' });
  });

  test('may be named by DOCKER_CONTEXT, and its files kept elsewhere by DOCKER_CONFIG', () => {
    const endpoint = { Host: 'tcp://builder.example:2376', SkipTLSVerify: true };
    write(`config/contexts/meta/${id}/meta.json`, meta(endpoint));
    write(`config/contexts/tls/${id}/docker/cert.pem`, 'certificate');
    const env = { HOME: home, DOCKER_CONFIG: join(home, 'config'), DOCKER_CONTEXT: 'remote' };
    expect(findEngine(env)).toMatchObject({
      host: 'builder.example',
      tls: { rejectUnauthorized: false, cert: Buffer.from('certificate') },
    });
  });

  test('that does not exist is named', () => {
    expect(() => findEngine({ HOME: home, DOCKER_CONTEXT: 'remote' })).toThrow(
      `Docker's context "remote" cannot be read`,
    );
  });

  test('loses against DOCKER_HOST', () => {
    const env = { HOME: home, DOCKER_CONTEXT: 'remote', DOCKER_HOST: 'unix:///run/my.sock' };
    expect(findEngine(env)).toMatchObject({ socketPath: '/run/my.sock' });
  });
});

describe.runIf(process.platform === 'linux')('without any setting', () => {
  test("finds Podman's socket where there is no Docker", () => {
    const socketPath = write('run/podman/podman.sock', '');
    const env = { HOME: home, XDG_RUNTIME_DIR: join(home, 'run') };
    const found = findEngine(env).socketPath;
    // On a machine with a system-wide Docker that one comes first.
    expect([socketPath, '/var/run/docker.sock']).toContain(found);
  });

  test('ignores a broken configuration file', () => {
    write('.docker/config.json', '{ broken');
    expect(findEngine({ HOME: home }).name).toMatch(/^unix:/);
  });
});
