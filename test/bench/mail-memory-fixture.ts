import { openHost } from '../mail/mail-servers.ts';
import { mailSettings, openRoomAt } from '../mail/room-at.ts';

/** The mailroom of a vault as a program of its own: looks at it twice, and says what that took and how much memory it has. */
const [folder = '', home = '', baseUrl = ''] = process.argv.slice(2);
const host = await openHost(folder, home);
const { room, jobs } = openRoomAt({
  folder,
  home,
  host: () => host.host,
  settings: () => mailSettings,
  assistant: { name: 'Clerk', provider: 'openai-compatible', model: 'scripted', baseUrl },
  machine: { id: 'machine-1', name: 'desk' },
  ahead: () => 0,
  emit: () => undefined,
  notify: () => undefined,
  onFault: (error) => console.error(error),
});
await room.run();
const started = performance.now();
await room.run();
const roundMs = performance.now() - started;
const { doneCount } = await room.board();
const residentMB = process.memoryUsage().rss / 1024 / 1024;
await room[Symbol.asyncDispose]();
await jobs[Symbol.asyncDispose]();
await host[Symbol.asyncDispose]();
console.log(JSON.stringify({ doneCount, roundMs, residentMB }));
