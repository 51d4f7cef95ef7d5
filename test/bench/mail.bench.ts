import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MailPlace } from '../mail/mail-place.ts';
import { type BenchRow, median } from './bench-row.ts';

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

/** In a program of its own: this one has the double of Gmail in its memory as well. */
async function knowMany(
  place: MailPlace,
): Promise<{ readonly residentMB: number; readonly roundMs: number }> {
  const done = join(place.folder, 'Done');
  for (let at = 0; at < known; at += 1) {
    const text = `---\ntype: email\nstatus: done\nmessage_id: k${at}\nfrom: Ada <a${at}@example.org>\nsubject: Known ${at}\n---\nText\n`;
    writeFileSync(join(done, `2020-01-01-0000-known-${at}.md`), text);
  }
  await place.stop();
  try {
    const program = join(import.meta.dirname, 'mail-memory-fixture.ts');
    const args = [program, place.folder, place.home, place.model.url];
    // The double of Gmail is in this program, which must go on meanwhile.
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  } finally {
    await place.start();
  }
}
