import { type Prey, prey, serverPids } from './kill-servers.ts';
import { openHost } from './mail-servers.ts';
import { mailSettings, openRoomAt } from './room-at.ts';

/**
 * The mailroom as a program of its own. Before or after its n-th effect it ends itself, its servers, or all of them
 * with SIGKILL; servers some milliseconds later, while they work. Without that it works until nothing is left to do, and
 * says so.
 */
const [folder = '', home = '', modelUrl = '', ahead = '0', at = '0', when = 'before', victim = ''] =
  process.argv.slice(2);
const kills: Prey = prey.find((name) => name === victim) ?? 'mailroom';
const host = await openHost(folder, home);
let effects = 0;

function kill(): void {
  const pids = kills === 'mailroom' ? [] : serverPids();
  const killAll = () => {
    for (const pid of pids) end(pid);
    if (pids.length > 0) console.log('killed servers');
    if (kills !== 'servers') process.kill(process.pid, 'SIGKILL');
  };
  const delayMs = (Number(at) * 7) % 9;
  if (kills === 'mailroom' || delayMs === 0) killAll();
  else setTimeout(killAll, delayMs);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const { room, service, jobs } = openRoomAt({
  folder,
  home,
  host: () => host.host,
  settings: () => mailSettings,
  assistant: {
    name: 'Claude',
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl: modelUrl,
  },
  machine: { id: 'machine-1', name: 'desk' },
  ahead: () => Number(ahead),
  emit: () => undefined,
  notify: () => undefined,
  onFault: (error) => console.error(error),
  onEffect: (moment) => {
    if (moment !== when) return;
    effects += 1;
    if (effects === Number(at)) kill();
  },
});
const signal = AbortSignal.timeout(60_000);
for (let round = 0; round < 3; round += 1) await service.answer('run', { wait: true }, signal);
console.log(`done after ${effects} effects`);
await room[Symbol.asyncDispose]();
await jobs[Symbol.asyncDispose]();
await host[Symbol.asyncDispose]();
