import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runErrand, startErrand } from './errand-in.ts';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
  await place.reset();
  await place.stop();
  const settings = join(place.folder, '.errand/settings.json');
  const { url: baseUrl } = place.model;
  const assistants = [{ name: 'Clerk', provider: 'openai-compatible', model: 'scripted', baseUrl }];
  const stored = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...stored, assistants, mail: { server: 'gmail' } }));
}, 60_000);
afterAll(async () => {
  await place.start();
  await place[Symbol.asyncDispose]();
});

const errand = (...args: readonly string[]) => runErrand(place, args);

/** A draft of a person's own. */
function writeDraft(path: string): void {
  place.write(path, '---\nto: bob@example.org\nsubject: Chairs\n---\nTen of them.\n');
}

test('a note is named by its path as a shell completes it, in every folder', {
  timeout: 180_000,
}, async () => {
  writeDraft('Drafts/chairs.md');
  const drafts = join(place.folder, 'Drafts');
  for (const [name, cwd] of [
    ['Drafts/chairs.md', place.folder],
    ['./Drafts/chairs.md', place.folder],
    [join(drafts, 'chairs.md'), place.folder],
    ['chairs.md', drafts],
    ['Drafts/chairs.md', drafts],
  ] as const) {
    const { code, stdout } = await runErrand(place, ['mail', 'show', name], { cwd });
    expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining('Ten of them.')]);
  }
  const unknown = await errand('mail', 'show', './Drafts/other.md');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('other.md') });
  const empty = await errand('mail', 'show', '');
  expect(empty).toMatchObject({ code: 2, stderr: '"id": it is empty\n' });
});

test('who approves is told why the draft does not leave', { timeout: 180_000 }, async () => {
  // The vault belongs to another machine at first.
  writeDraft('Drafts/elsewhere.md');
  const elsewhere = await errand('mail', 'approve', 'Drafts/elsewhere.md', '--yes');
  expect(elsewhere.stderr).toContain('errand mail run --take-over');
  expect(elsewhere.stderr).not.toContain('errand up');
  await errand('mail', 'run', '--once', '--take-over');
  await errand('mail', 'pause');
  writeDraft('Drafts/paused.md');
  const paused = await errand('mail', 'approve', 'Drafts/paused.md', '--yes');
  expect(paused).toMatchObject({ code: 0, stderr: expect.stringContaining('errand mail resume') });
  expect((await errand('mail', 'resume')).code).toBe(0);
  writeDraft('Drafts/alone.md');
  const alone = await errand('mail', 'approve', 'Drafts/alone.md', '--yes');
  expect(alone).toMatchObject({ code: 0, stderr: expect.stringContaining('errand up') });
});

test('a mailroom that stays says so, and not that nothing waits before it has looked', {
  timeout: 180_000,
}, async () => {
  await place.deliver('reply please');
  const running = startErrand(place, ['mail', 'run', '--take-over']);
  const said: string[] = [];
  for await (const line of createInterface(running.stdout)) {
    said.push(line);
    if (line.includes('Ctrl-C')) break;
  }
  running.kill('SIGINT');
  await once(running, 'close');
  expect(said.join('\n')).toContain('See what waits, in another terminal: errand mail.');
  expect(said.join('\n')).not.toContain('Nothing waits for you');
  const dry = await errand('mail', 'run', '--dry-run');
  expect(dry.stderr).toContain('up to 50');
});
