import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findToolBlocks, scan, withoutResults } from '@errand/document';
import { readJournal } from '@errand/machine/testing';
import { TestVault } from '../end-to-end/errand-process.ts';

/** What a number of killed runs came to. */
export interface KilledRuns {
  readonly flaws: readonly string[];
  /** How often the note had some results and not all of them. */
  readonly partly: number;
  /** How often a temporary file was left behind. */
  readonly leftBehind: number;
}

const blocks = 50;
/** A whole run, left alone, follows each of so many killed ones. */
const killsPerWholeRun = 10;

/** Kills `errand run` with a note of 50 blocks again and again, each time at another moment. */
export async function killRuns(seed: number, count: number): Promise<KilledRuns> {
  using vault = TestVault.trusted({ notes: { 'Note.md': original } });
  vault.add(vault.scripted());
  await vault.errand('run', 'Note.md');
  const complete = vault.read('Note.md');
  const expected = resultsIn(complete);
  const flaws: string[] = expected.every((result) => result !== null)
    ? []
    : ['the first run is not whole'];
  const counts = { partly: 0, leftBehind: 0 };
  let before: readonly string[] = [];
  for (let at = seed; at < seed + count; at++) {
    writeFileSync(vault.path('Note.md'), original);
    for (const file of globSync(vault.path('Attachments/errand/*'))) if (at % 3 === 0) rmSync(file);
    await killOne(vault, at);
    const text = vault.read('Note.md');
    const results = resultsIn(text);
    const written = results.filter((result) => result !== null).length;
    const report = (flaw: string) => flaws.push(`seed ${at}, ${written} results: ${flaw}`);
    if (withoutResults(scan(text)) !== original) report('text was changed');
    if (results.some((result, index) => result !== null && result !== expected[index])) {
      report('a result is not whole');
    }
    for (const file of attachmentsIn(text)) {
      if ((statSync(vault.path(file), { throwIfNoEntry: false })?.size ?? 0) < 100_000) {
        report(`${file} is not whole`);
      }
    }
    const left = temporaryFiles(vault);
    if (written > 0 && before.some((file) => left.includes(file))) {
      report(`the run before left ${before.join(', ')}, and they are still there`);
    }
    counts.partly += written > 0 && written < blocks ? 1 : 0;
    counts.leftBehind += left.length > 0 ? 1 : 0;
    before = left;
    if ((at - seed) % killsPerWholeRun !== killsPerWholeRun - 1) continue;
    const { code, stderr } = await vault.errand('run', 'Note.md');
    if (code !== 0) report(`the next run ended with ${code}: ${stderr}`);
    if (vault.read('Note.md') !== complete) report('the next run does not complete it');
    const still = temporaryFiles(vault);
    if (still.length > 0) report(`after the next run there is still ${still.join(', ')}`);
  }
  return { flaws, ...counts };
}

/**
 * Answers come one by one for half a second; some are large enough for a file. The note is large
 * enough for a moment in which it would be half written.
 */
const between = 'Words that nobody wants to lose.\n'.repeat(1000);
const original = `# Kill\n\n${Array.from({ length: blocks }, (_, index) =>
  index % 10 === 9
    ? block(`tool: large\nbytes: ${100_000 + index}`)
    : block(`tool: sleep\nmilliseconds: ${index * 10}`),
).join(`\n${between}\n`)}\nThe end.\n`;

function block(body: string): string {
  return `\`\`\`fix\n${body}\n\`\`\`\n`;
}

/** Before the first call, a moment after any of them, or just when the note is being written. */
async function killOne(vault: TestVault, seed: number): Promise<void> {
  const draw = (below: number, what: string) =>
    createHash('sha256').update(`${seed} ${what}`).digest().readUInt32BE(0) % below;
  writeFileSync(vault.journal, '');
  using errand = vault.start('run', 'Note.md');
  const ended = once(errand.child, 'exit');
  if (draw(2, 'moment') === 0) {
    await writing(vault, draw(6, 'write'), ended);
    await sleep(draw(20, 'later'));
  } else {
    const calls = draw(blocks + 5, 'calls') - 4;
    if (calls <= 0) await sleep(draw(800, 'start'));
    while (callsIn(vault) < calls && errand.child.exitCode === null) await sleep(1);
    await sleep(draw(60, 'delay'));
  }
  errand.child.kill('SIGKILL');
  await ended;
}

/** Waits for a temporary file beside the note, after that many others; or for the end. */
async function writing(vault: TestVault, others: number, ended: Promise<unknown>): Promise<void> {
  const seen = new Set<string>();
  const stop = new AbortController();
  const changes = watch(vault.folder, { signal: stop.signal });
  const found = (async () => {
    for await (const { filename } of changes) {
      if (filename?.endsWith('.tmp')) seen.add(filename);
      if (seen.size > others) return;
    }
  })();
  await Promise.race([found, ended]);
  stop.abort();
  await found.catch(() => {});
}

function callsIn({ journal }: TestVault): number {
  return readJournal(journal).filter(({ kind }) => kind === 'call').length;
}

const context = {
  servers: [{ id: 'fix', name: 'fix', enabled: true, sectionBindings: [] }],
  brokenBindings: [],
};

function resultsIn(text: string): readonly (string | null)[] {
  return findToolBlocks(scan(text), context).map(
    ({ result }) => result && text.slice(result.from, result.to),
  );
}

function attachmentsIn(text: string): readonly string[] {
  return [...text.matchAll(/Attachments\/errand\/\w+\.txt/g)].map(([path]) => path);
}

function temporaryFiles(vault: TestVault): readonly string[] {
  return readdirSync(vault.folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.errand/') && path.endsWith('.tmp'),
  );
}
