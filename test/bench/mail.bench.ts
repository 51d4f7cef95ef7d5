import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtErrand } from '../built-errand.ts';
import { MailPlace } from '../mail/mail-place.ts';
import { type BenchRow, median } from './bench-row.ts';
import { residentMb } from './gateway-process.ts';

const mails = 1_000;
const known = 100_000;

/** The mailroom on its real servers: mails through all steps, rounds without work, memory with many known mails. */
export async function bench(): Promise<BenchRow[]> {
  await using place = await MailPlace.open();
  const seconds = await decideAll(place);
  const rounds: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    const begun = performance.now();
    await place.room.run();
    rounds.push(performance.now() - begun);
  }
  const polls = await approveOne(place);
  const { residentMB, roundMs } = await knowMany(place);
  return [
    row('mail: 1,000 mails fetched, decided and stored', 'ms', seconds * 1000, 60_000),
    row('mail: a round without work, p50', 'ms', median(rounds), 500),
    row('mail: polls until an approved draft has left', 'count', polls, 1),
    row('mail: a round without work with 100,000 known mails', 'ms', roundMs, 500),
    row('mail: memory with 100,000 known mails', 'MB', residentMB, 256),
  ];
}

function row(what: string, unit: BenchRow['unit'], ours: number, most: number): BenchRow {
  const target = `at most ${most}`;
  return { what, unit, ours, peer: most, peerName: 'the target', target, pass: ours <= most };
}

async function decideAll(place: MailPlace): Promise<number> {
  for (let at = 0; at < mails; at += 1) {
    await place.deliver(`${at % 2 === 0 ? 'reply' : 'archive'} ${at}`, 'Hello', [
      `From: a${at}@example.org`,
    ]);
  }
  const started = performance.now();
  await place.service.answer('run', { wait: true }, AbortSignal.timeout(900_000));
  const seconds = (performance.now() - started) / 1000;
  const stored = place.notes('Drafts').length + place.notes('Done').length;
  if (stored !== mails) throw new Error(`${stored} of ${mails} mails were decided`);
  return seconds;
}

/** Moves a draft as a person does; answers with how many polls it took until Gmail had sent it. */
async function approveOne(place: MailPlace): Promise<number> {
  const [name = ''] = place.notes('Drafts');
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
  let polls = 0;
  while ((await place.sent()).length === 0 && polls < 10) {
    await place.round();
    polls += 1;
  }
  return polls;
}

/** The program as it is shipped: memory and the second round, with a vault of many finished mails. */
async function knowMany(
  place: MailPlace,
): Promise<{ readonly residentMB: number; readonly roundMs: number }> {
  const done = join(place.folder, 'Done');
  for (let at = 0; at < known; at += 1) {
    const text = `---\ntype: email\nstatus: done\nmessage_id: k${at}\nfrom: Ada <a${at}@example.org>\nsubject: Known ${at}\n---\nText\n`;
    writeFileSync(join(done, `2020-01-01-0000-known-${at}.md`), text);
  }
  await place.stop();
  const settings = join(place.folder, '.errand/settings.json');
  const { url: baseUrl } = place.model;
  const assistants = [{ name: 'Clerk', provider: 'openai-compatible', model: 'scripted', baseUrl }];
  const stored = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...stored, assistants, mail: { server: 'gmail' } }));
  const program = await builtErrand();
  const folders = Object.fromEntries(
    ['STATE', 'CACHE', 'CONFIG'].map((kind) => [`XDG_${kind}_HOME`, join(place.home, kind)]),
  );
  const env = { ...process.env, ...folders, HOME: place.home, ERRAND_TRUST: '1' };
  const options = { cwd: place.folder, env, timeout: 300_000 };
  const up = spawn(process.execPath, [program, 'up', '--json'], { ...options, stdio: 'pipe' });
  try {
    await until(up, '"event":"ready"');
    // The double of Gmail is in this program, which must go on meanwhile.
    const run = async (...args: readonly string[]) => {
      const asked = [program, 'mail', 'run', '--once', '--json', ...args];
      const { stdout } = await promisify(execFile)(process.execPath, asked, options);
      return JSON.parse(stdout) as { round: { durationMs: number }; board: { doneCount: number } };
    };
    await run('--take-over');
    const { round, board } = await run();
    if (board.doneCount < known) throw new Error(`${board.doneCount} mails are known`);
    return { residentMB: residentMb(up.pid), roundMs: round.durationMs };
  } finally {
    up.kill();
    await once(up, 'close');
    await place.start();
  }
}

/** Waits until a program has written something. */
async function until(program: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  let written = '';
  const over = AbortSignal.timeout(60_000);
  while (!written.includes(text)) {
    const [chunk] = await once(program.stdout, 'data', { signal: over });
    written += chunk;
  }
}
