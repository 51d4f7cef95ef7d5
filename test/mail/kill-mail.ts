import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Prey, prey } from './kill-servers.ts';
import { MailPlace } from './mail-place.ts';

const program = join(import.meta.dirname, 'mailroom-fixture.ts');
const letter = 'Hello, can you come on Friday?';
const words = ['reply', 'archive', 'info', 'urgent', 'delegate'];

/**
 * Kills the mailroom, its servers, or all of them at one effect after the other while mails come, are decided, approved by
 * hand and sent, and answers with what was wrong at the end: lost, doubled, sent twice, sent unapproved or not sent.
 */
export async function killMail(seed: number, mails: number, kills: number): Promise<KilledMail> {
  await using place = await MailPlace.open();
  await place.stop();
  const subjects: string[] = [];
  const settings = join(place.folder, '.errand/settings.json');
  const enabled = readFileSync(settings);
  let ahead = 0;
  const killed: Record<Prey, number> = { mailroom: 0, servers: 0, both: 0 };
  const approved = new Map<string, string>();
  const over = (flaws: readonly string[], sent = 0): KilledMail => ({
    mails: subjects.length,
    killed,
    approved: approved.size,
    sent,
    flaws: flaws.map((flaw) => `seed ${seed}: ${flaw}`),
  });
  for (let kill = 0; kill < kills; kill += 1) {
    while (subjects.length < Math.ceil((mails * (kill + 1)) / kills)) {
      const subject = `${words[(subjects.length + seed) % words.length]} ${seed} ${subjects.length}`;
      subjects.push(subject);
      await place.deliver(subject, letter);
    }
    approveDrafts(place, approved);
    // A run that finds one new mail has about twelve effects; each of them is the last one of some run.
    const at = 1 + ((kill * 5 + seed * 3) % 12);
    const victim = prey[(kill + seed) % prey.length] ?? 'both';
    const when = kill % 2 === 0 ? 'before' : 'after';
    const { isKilled, output } = await run(place, ahead, at, when, victim);
    if (isKilled) killed[victim] += 1;
    if (victim === 'servers' && !output.includes('done after'))
      return over([`without its servers the mailroom did not end: ${output.slice(0, 500)}`]);
    const flaws = await unapproved(place, approved);
    if (flaws.length > 0) return over(flaws);
    // A person enables servers again that the host has given up because they died so often.
    writeFileSync(settings, enabled);
    ahead += 10 * 60_000;
    place.letTimePass();
  }
  // To the end, twice: what was approved by hand leaves in the next round.
  for (let last = 0; last < 2; last += 1) {
    approveDrafts(place, approved);
    const { output } = await run(place, ahead, 0, 'before');
    if (!output.includes('done after'))
      return over([`the last run did not end: ${output.slice(0, 500)}`]);
    ahead += 2 * 3_600_000;
    place.letTimePass();
  }
  const flaws = [...(await unapproved(place, approved)), ...(await judge(place, subjects))];
  for (const victim of prey) {
    const count = killed[victim];
    if (count < kills / prey.length / 2) flaws.push(`${victim}: killed only ${count} times`);
  }
  await place.start();
  return over(flaws, (await place.sent()).length);
}

/** What was killed, how much mail came and left, and what was wrong at the end. */
interface KilledMail {
  readonly mails: number;
  readonly killed: Readonly<Record<Prey, number>>;
  readonly approved: number;
  readonly sent: number;
  readonly flaws: readonly string[];
}

/** A person moves every draft that waits. */
function approveDrafts(place: MailPlace, approved: Map<string, string>): void {
  for (const name of place.notes('Drafts')) {
    const text = place.text(`Drafts/${name}`);
    const id = /^draft_id: (.*)$/m.exec(text)?.[1] ?? name;
    mkdirSync(join(place.folder, 'Approved'), { recursive: true });
    if (existsSync(join(place.folder, 'Approved', name))) continue;
    renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
    approved.set(id, whatLeaves(text));
  }
}

async function run(
  place: MailPlace,
  ahead: number,
  at: number,
  when: string,
  victim: Prey = 'mailroom',
): Promise<{ readonly output: string; readonly isKilled: boolean }> {
  const args = [
    program,
    place.folder,
    place.home,
    place.model.url,
    String(ahead),
    String(at),
    when,
    victim,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 90_000);
  const [, signal] = await once(child, 'exit');
  clearTimeout(timer);
  return { output, isKilled: signal === 'SIGKILL' || output.includes('killed servers') };
}

/** Mails that have left by now without a person's approval of just this text to just these people, or more than once. */
async function unapproved(
  place: MailPlace,
  approved: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const left = [...approved.values()];
  return (await place.sent()).flatMap(({ to, subject, snippet }) => {
    const at = left.indexOf(`${to} | ${subject} | ${snippet.trim()}`);
    if (at !== -1) left.splice(at, 1);
    return at === -1 ? [`sent without an approval: ${to} | ${subject} | ${snippet}`] : [];
  });
}

/** To whom, under which subject and with which text a draft leaves. */
function whatLeaves(draft: string): string {
  const value = (key: string) => new RegExp(`^${key}: "?(.*?)"?$`, 'm').exec(draft)?.[1];
  const body = draft.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/\s+/g, ' ');
  return `${value('to')} | ${value('subject')} | ${body.trim()}`;
}

async function judge(place: MailPlace, subjects: readonly string[]): Promise<readonly string[]> {
  const flaws: string[] = [];
  const places = new Map<string, string[]>();
  for (const folder of ['Needs_Action', 'Drafts', 'Approved', 'Done']) {
    for (const name of place.notes(folder)) {
      const text = place.text(`${folder}/${name}`);
      const kind = /^type: (.*)$/m.exec(text)?.[1];
      const subject = /^subject: "?(.*?)"?$/m.exec(text)?.[1] ?? '';
      const key = `${kind} ${subject}`;
      if (kind === 'email' && !text.includes(letter)) flaws.push(`"${subject}" has lost its text`);
      if (kind === 'draft_reply' && !(folder === 'Done' && text.includes('\nsent_message_id: ')))
        flaws.push(`the draft "${subject}" has left, and is in ${folder}`);
      places.set(key, [...(places.get(key) ?? []), folder]);
    }
  }
  for (const subject of subjects) {
    const folders = places.get(`email ${subject}`) ?? [];
    if (folders.length !== 1) flaws.push(`"${subject}" is in ${folders.join(', ') || 'no folder'}`);
    const isAnswered = /^(?:reply|urgent)/.test(subject);
    const expected = isAnswered || subject.startsWith('archive') ? 'Done' : 'Needs_Action';
    if (folders[0] !== expected) flaws.push(`"${subject}" is in ${folders[0]}, not in ${expected}`);
  }
  const sent = await place.sent();
  const counts = new Map<string, number>();
  for (const { subject } of sent) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  for (const subject of subjects) {
    const count = counts.get(`Re: ${subject}`) ?? 0;
    const expected = /^(?:reply|urgent)/.test(subject) ? 1 : 0;
    if (count !== expected) flaws.push(`"Re: ${subject}" was sent ${count} times`);
  }
  for (const [key, folders] of places)
    if (folders.length > 1) flaws.push(`${key}: ${folders.join(', ')}`);
  const log = join(place.folder, 'Logs');
  if (!existsSync(log)) flaws.push('there are no logs');
  return flaws;
}
