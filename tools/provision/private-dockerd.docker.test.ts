import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAbandonedEngine, useDockerEngine } from './docker-engine.ts';
import { type EnginePaths, enginePaths } from './engine-paths.ts';
import { engineRequest } from './engine-request.ts';
import { lookAtMachine } from './look-at-machine.ts';
import { isHealthy } from './private-dockerd.ts';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';
import { readProgram } from './run-program.ts';
import { provideTestImage } from './test-image.ts';

const { isRoot, programs } = lookAtMachine(process.env);

// An engine that was handed in by ERRAND_TEST_DOCKER_HOST says nothing about a private one.
describe.runIf(isRoot && programs.dockerd !== undefined)('a private engine', () => {
  const projectFolder = mkdtempSync(join(tmpdir(), 'errand-engine-'));
  const place = enginePaths(projectFolder);
  afterAll(async () => {
    await endAbandonedEngine(projectFolder);
    rmSync(projectFolder, { recursive: true, force: true });
  });

  test('leaves nothing on the machine, even with a container running', async () => {
    let processes: ProcessIdentity[];
    {
      await using engine = await useDockerEngine(projectFolder, process.env);
      await startContainer(engine.host);
      processes = processesOf(place);
      expect(processes.map(nameOf)).toEqual(
        expect.arrayContaining(['unshare', 'tini', 'dockerd', 'containerd', 'docker-proxy']),
      );
    }
    await expectNothingLeft(place, processes);
  }, 60_000);

  test('stays until its last user has left', async () => {
    let processes: ProcessIdentity[];
    {
      await using second = new AsyncDisposableStack();
      {
        await using first = await useDockerEngine(projectFolder, process.env);
        processes = processesOf(place);
        expect(second.use(await useDockerEngine(projectFolder, process.env)).host).toBe(first.host);
      }
      expect(await isHealthy(place)).toBe(true);
      expect(processes.filter((one) => !isRunning(one))).toEqual([]);
    }
    await expectNothingLeft(place, processes);
  }, 60_000);

  test('is ended by the next run when a killed one left it, with its containers', async () => {
    const { processes } = await abandonEngine();
    await endAbandonedEngine(projectFolder);
    await expectNothingLeft(place, processes);
  }, 60_000);

  test('is replaced when its daemon was killed too', async () => {
    const { daemon, processes } = await abandonEngine();
    process.kill(daemon.pid, 'SIGKILL');
    {
      await using engine = await useDockerEngine(projectFolder, process.env);
      expect(processes.filter(isRunning)).toEqual([]);
      const { text } = await engineRequest(engine.host, '/containers/json?all=true');
      expect(JSON.parse(text)).toEqual([]);
    }
    await expectNothingLeft(place, processes);
  }, 60_000);

  /** A process starts the engine and is killed while a container runs. */
  async function abandonEngine() {
    const script = `
      import { useDockerEngine } from ${JSON.stringify(import.meta.resolve('./docker-engine.ts'))};
      const { host } = await useDockerEngine(${JSON.stringify(projectFolder)}, process.env);
      console.log(host);
      setInterval(() => {}, 1000);`;
    const user = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [host] = await once(user.stdout, 'data');
    await startContainer(String(host).trim());
    user.kill('SIGKILL');
    await once(user, 'close');
    const processes = processesOf(place);
    const daemon = processes.find((one) => nameOf(one) === 'dockerd');
    if (daemon === undefined) throw new Error('No dockerd runs.');
    return { daemon, processes };
  }

  async function startContainer(host: string): Promise<void> {
    const body = {
      Image: await provideTestImage(host, projectFolder, () => {}),
      Cmd: ['node', '--eval', 'setInterval(() => {}, 1000)'],
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }] } },
    };
    const { text } = await engineRequest(host, '/containers/create', { method: 'POST', body });
    const container = `/containers/${JSON.parse(text).Id}`;
    const started = await engineRequest(host, `${container}/start`, { method: 'POST' });
    expect(started.status).toBe(204);
  }
});

async function expectNothingLeft(place: EnginePaths, processes: readonly ProcessIdentity[]) {
  expect(processes.filter(isRunning).map(nameOf)).toEqual([]);
  expect(existsSync(place.runFolder)).toBe(false);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(place.dataFolder);
  expect(readFileSync('/proc/net/unix', 'utf8')).not.toContain(place.runFolder);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(place.runFolder);
  expect(await readProgram('ip', ['-o', 'link'])).not.toContain(place.bridge);
  const cgroups = await readProgram('find', ['/sys/fs/cgroup', '-name', place.cgroup]);
  expect(cgroups).toBe('');
}

/** The recorded process and all its descendants. */
function processesOf(place: EnginePaths): ProcessIdentity[] {
  const { pid } = JSON.parse(readFileSync(place.recordPath, 'utf8')) as ProcessIdentity;
  const found = [pid];
  for (const parent of found) {
    for (const task of readdirSync(`/proc/${parent}/task`)) {
      const children = readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8');
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found.flatMap((one) => identifyProcess(one) ?? []);
}

function nameOf({ pid }: ProcessIdentity): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}
