import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { MailPlace } from './mail-place.ts';

/**
 * The mailroom on a vault whose disk gets full, or may only be read, while mails come and a draft is approved. Runs in a
 * mount namespace of its own; says in JSON what it saw while the disk was so, and when it was good again.
 */
const [trouble = 'full'] = process.argv.slice(2);
const mount = (...args: readonly string[]) => void execFileSync('mount', args);
await using place = await MailPlace.open({
  mount: (folder) => {
    mount('-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder);
    return { [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', folder]) };
  },
});
const filler = join(place.folder, 'filler');

function breakDisk(): void {
  if (trouble === 'read-only') {
    mount('-o', 'remount,ro', place.folder);
    return;
  }
  // What is left of the last block of a file could still be written.
  const logs = join(place.folder, 'Logs');
  for (const name of readdirSync(logs).filter((each) => each.endsWith('.jsonl'))) {
    const line = Buffer.alloc(4_096 - (statSync(join(logs, name)).size % 4_096), '\n');
    appendFileSync(join(logs, name), line);
  }
  const file = openSync(filler, 'w');
  try {
    for (const size of [65_536, 4_096, 512, 1]) fill(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function fill(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mendDisk(): void {
  if (trouble === 'read-only') mount('-o', 'remount,rw', place.folder);
  else rmSync(filler);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not so: ${isSo}: ${JSON.stringify(seen())}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Everything that a person finds in the vault. */
function seen() {
  const folders = ['Needs_Action', 'Drafts', 'Approved', 'Done'];
  const notes = folders.flatMap((folder) =>
    place
      .notes(folder)
      .map((name) => [`${folder}/${name}`, place.text(`${folder}/${name}`)] as const),
  );
  const others = folders
    .filter((folder) => existsSync(join(place.folder, folder)))
    .flatMap((folder) => readdirSync(join(place.folder, folder)))
    .filter((name) => !name.endsWith('.md'));
  const messages = [
    ...place.notices.map(({ message }) => message),
    ...place.faults.map((fault) => (fault instanceof Error ? fault.message : String(fault))),
  ];
  return { notes, others, messages };
}

await place.deliver('reply one');
await place.round();
const draft = place.only('Drafts');
const approved = draft.replace('Drafts', 'Approved');
mkdirSync(join(place.folder, 'Approved'));
renameSync(join(place.folder, draft), join(place.folder, approved));
// Read and tried before: only its audit line is left to write.
void place.proxy.fault(
  { method: 'POST', path: /drafts/, times: 9 },
  { kind: 'answer', status: 503 },
);
await place.round();
place.proxy.heal();
place.ahead += 10 * 60_000;
place.letTimePass();
const before = seen().notes;
breakDisk();
await place.deliver('reply two');
await place.room.run();
await place.room.run();
await until(async () => (await place.ask('board', {})).state === 'unwritable');
await until(() =>
  place.jobs.list({ flow: 'mail-send', state: 'running' }).then((all) => all.length === 0),
);
const { state, problem } = await place.ask('board', {});
const broken = { ...seen(), sent: (await place.sent()).length, state, problem };
mendDisk();
place.letTimePass();
await until(() => place.notes('Drafts').length === 1);
place.ahead += 2 * 3_600_000;
await place.round();
await until(async () => (await place.sent()).length > 0);
await until(() => place.notes('Done').length === 2);
await place.round();
const after = { ...seen(), sent: (await place.sent()).length };
console.log(JSON.stringify({ before, broken, after }));
