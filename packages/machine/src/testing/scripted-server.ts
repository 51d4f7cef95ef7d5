import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readJournal } from './journal.ts';
import { ScriptedSession, writeJournal } from './scripted-session.ts';
import type { ServerScript } from './server-script.ts';

// The scriptable server as a program: `node scripted-server.ts '{"onStart":"hang"}'`.
const script = JSON.parse(process.argv[2] ?? '{}') as ServerScript;
writeJournal(script, { kind: 'started' });
if (script.stderr !== undefined) process.stderr.write(script.stderr);
if (script.onStart === 'exit') process.exit(3);
if (script.onRestart === 'exit' && timesStarted() > 1) process.exit(3);
if (script.ignoreTerm) process.on('SIGTERM', () => undefined);
if (script.grandchild !== undefined) startGrandchild(script.grandchild);

const session = new ScriptedSession(script, (line) => process.stdout.write(line));
createInterface({ input: process.stdin })
  .on('line', (line) => void session.take(JSON.parse(line) as Record<string, unknown>))
  .on('close', () => {
    if (script.onEndOfInput !== 'ignore') process.exit(0);
    setInterval(() => undefined, 60_000);
  });

function timesStarted(): number {
  return readJournal(script.journal ?? '').filter(({ kind }) => kind === 'started').length;
}

/** A process that holds our output open and listens to nobody. */
function startGrandchild(where: 'group' | 'session'): void {
  const program = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 60000)`;
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: where === 'session',
  });
  if (child.pid !== undefined) writeJournal(script, { kind: 'grandchild', pid: child.pid });
  child.unref();
}
