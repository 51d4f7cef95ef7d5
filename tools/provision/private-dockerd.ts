import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createBridge, deleteBridge } from './engine-bridge.ts';
import type { EnginePaths } from './engine-paths.ts';
import { engineRequest } from './engine-request.ts';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

const startDeadline = 60_000;
const stopDeadline = 15_000;

/** Starts the project's own engine; resolves when it answers. */
export async function startDockerd(place: EnginePaths, env: NodeJS.ProcessEnv): Promise<void> {
  mkdirSync(place.runFolder, { recursive: true, mode: 0o700 });
  // It would give the bridge the address it had the last time, which another engine may have by now.
  rmSync(join(place.dataFolder, 'data/network/files'), { recursive: true, force: true });
  await createBridge(place.bridge);
  const log = openSync(place.logPath, 'w');
  const folders = [place.runFolder, join(place.dataFolder, 'run')];
  const command = ['sh', '-c', inside, 'sh', ...folders, ...options(place)];
  const child = spawn('unshare', [...namespaces, ...command], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...env, PATH: `${env.PATH}:/usr/local/sbin:/usr/sbin:/sbin` },
  });
  closeSync(log);
  child.unref();
  const engine = child.pid === undefined ? undefined : identifyProcess(child.pid);
  if (engine !== undefined) writeFileSync(place.recordPath, JSON.stringify(engine));
  const until = Date.now() + startDeadline;
  while (!(await isHealthy(place))) {
    if (engine === undefined || !isRunning(engine) || Date.now() > until) {
      await stopDockerd(place);
      throw new Error(`dockerd did not start. ${place.logPath} ends with:\n${lastLines(place)}`);
    }
    await wait(50);
  }
}

/** Ends the engine that is recorded, if it still runs, and clears away what it left on the machine. */
export async function stopDockerd(place: EnginePaths): Promise<void> {
  const engine = recordedEngine(place);
  if (engine !== undefined && isRunning(engine)) {
    signalNamespaceInit(engine);
    const until = Date.now() + stopDeadline;
    while (isRunning(engine) && Date.now() < until) await wait(20);
    // Everything in the engine's process namespace goes with it, containers included.
    if (isRunning(engine)) process.kill(engine.pid, 'SIGKILL');
    while (isRunning(engine)) await wait(20);
  }
  await deleteBridge(place.bridge);
  removeCgroups(place.cgroup);
  rmSync(place.runFolder, { recursive: true, force: true });
}

export async function isHealthy(place: EnginePaths): Promise<boolean> {
  try {
    return (await engineRequest(place.socketPath, '/_ping')).status === 200;
  } catch {
    return false;
  }
}

export function hasRecordedEngine(place: EnginePaths): boolean {
  return existsSync(place.recordPath);
}

// Mounts and processes live in namespaces of the engine's own: they vanish with it, even after KILL.
const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

// The engine writes to /run and /etc/docker without being asked: it gets its own, and of the machine's
// /run only the folder with its socket.
const inside = `set -e
run=$1 kept=$2
shift 2
mkdir -p /etc/docker "$kept"
mount -t tmpfs -o mode=755 tmpfs /etc/docker
mount --bind "$run" "$kept"
mount -t tmpfs -o mode=755 tmpfs /run
mkdir "$run"
mount --move "$kept" "$run"
exec tini -- dockerd "$@"`;

function options(place: EnginePaths): string[] {
  return [
    `--host=unix://${place.socketPath}`,
    `--data-root=${join(place.dataFolder, 'data')}`,
    `--exec-root=${join(place.runFolder, 'exec')}`,
    `--pidfile=${join(place.runFolder, 'dockerd.pid')}`,
    `--bridge=${place.bridge}`,
    `--cgroup-parent=/${place.cgroup}`,
    '--exec-opt=native.cgroupdriver=cgroupfs',
    // Published ports on loopback go through docker-proxy; the machine's packet filter stays untouched.
    '--iptables=false',
    '--ip6tables=false',
    '--ip-masq=false',
    '--ip-forward=false',
    '--shutdown-timeout=5',
  ];
}

function recordedEngine(place: EnginePaths): ProcessIdentity | undefined {
  if (!hasRecordedEngine(place)) return undefined;
  return JSON.parse(readFileSync(place.recordPath, 'utf8')) as ProcessIdentity;
}

/** `unshare` itself ignores TERM; its only child is the namespace's first process, which passes it on. */
function signalNamespaceInit({ pid }: ProcessIdentity): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child), 'SIGTERM');
}

function removeCgroups(name: string): void {
  // Version 1 has one tree per controller, version 2 a single one.
  for (const top of globSync([`/sys/fs/cgroup/${name}`, `/sys/fs/cgroup/*/${name}`])) {
    const folders = globSync('**/', { cwd: top }).map((folder) => join(top, folder));
    for (const folder of [...folders, top].sort((a, b) => b.length - a.length)) {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
}

function lastLines(place: EnginePaths): string {
  return readFileSync(place.logPath, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
