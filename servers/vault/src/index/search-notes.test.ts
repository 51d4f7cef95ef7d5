import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openIndex } from '../testing/open-index.ts';
import { vaultFolder } from '../testing/vault-folder.ts';
import { countTags } from './count-tags.ts';
import { findBacklinks } from './find-backlinks.ts';
import { searchNotes } from './search-notes.ts';
import type { VaultIndex } from './vault-index.ts';

async function pathsFor(index: VaultIndex, query: string, limit = 20): Promise<string[]> {
  const { notes } = await searchNotes(index, { query, limit });
  return notes.map(({ path }) => path);
}

/** The truth, as simply as it can be said: every word occurs in a value or in the body. */
function plainScan(notes: Readonly<Record<string, string>>, words: readonly string[]): string[] {
  const same = (text: string) => text.normalize('NFC').toLowerCase();
  return Object.entries(notes)
    .filter(([, text]) => {
      const [, yaml = '', body = text] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
      const texts = [...leaves(parse(yaml, { schema: 'failsafe' })), body].map(same);
      return words.every((word) => texts.some((part) => part.includes(same(word))));
    })
    .map(([path]) => path)
    .sort();
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value == null ? [] : [String(value)];
  return Object.values(value).flatMap(leaves);
}

const letters = fc.constantFrom(
  ...('abcABCéÉêñÑßẞøØж中文日本語の。、「」ー😀👍🏽e\u0301\u0308"\'`*_#[](){}<>|\\/-–—.,:;!?@$%^&+=~0123456789 '.match(
    /./gsu,
  ) ?? []),
);
const word = fc.string({ unit: letters, minLength: 1, maxLength: 6 });
const sentence = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const body = fc.array(sentence, { maxLength: 4 }).map((lines) => lines.join('\n'));
const value = fc.oneof(sentence, fc.integer().map(String), fc.array(word, { maxLength: 3 }));
const ticks = '`'.repeat(20);
const attributes = 'req=d4c5df0589 sum=0c11b1e435';
const result = fc.oneof(
  sentence.map((made) => `${ticks}mcp-result ${attributes} type=json\n${made}\n${ticks}`),
  sentence.map((made) => `${ticks}mcp-error ${attributes} code=timeout\n${made}\n${ticks}`),
  fc
    .stringMatching(/^[a-z0-9]{1,6}$/)
    .map((made) => `<!-- mcp-result ${attributes} -->\n${made}\n<!-- /mcp-result -->`),
);

interface MadeNote {
  readonly text: string;
  /** The same without what Errand wrote. */
  readonly own: string;
}

const madeNote: fc.Arbitrary<MadeNote> = fc
  .tuple(
    fc.option(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value)),
    fc.option(result),
    body,
  )
  .map(([values, written, text]) => {
    // JSON is YAML, and its quotes keep every value apart from the syntax around it.
    const lines = Object.entries(values ?? {}).map(
      ([key, made]) => `${key}: ${JSON.stringify(made)}`,
    );
    const head = lines.length === 0 ? '.' : `---\n${lines.join('\n')}\n---\n`;
    if (written === null) return { text: head + text, own: head + text };
    return { text: `${head}asked\n\n${written}\n${text}`, own: `${head}asked\n${text}` };
  });

test('finds exactly what a plain scan finds, before, while and after the index is built', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(madeNote, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 5 })), { minLength: 1, maxLength: 6 }),
      fc.array(word, { maxLength: 3 }),
      async (made, places, otherWords) => {
        const texts = made.map(({ text }) => text);
        const notes = Object.fromEntries(texts.map((text, at) => [`n${at}.md`, text]));
        const own = Object.fromEntries(made.map((note, at) => [`n${at}.md`, note.own]));
        await using index = openIndex(vaultFolder(notes));
        // Pieces cut out of the notes themselves, so that there is something to find.
        const pieces = places.map(([note, at, length]) => {
          const text = (texts[note % texts.length] ?? '').toWellFormed();
          const from = at % (text.length + 1);
          return text
            .slice(from, from + length + 1)
            .replaceAll('"', '')
            .toWellFormed();
        });
        const queries = [...pieces, ...otherWords].filter(
          (text) => text.trim() !== '' && !/["\ufffd]/.test(text),
        );
        const truth = queries.map((query) => plainScan(own, [query]));
        const found = () =>
          Promise.all(queries.map(async (query) => (await pathsFor(index, `"${query}"`)).sort()));
        expect(await found()).toEqual(truth);
        await index.complete();
        expect(index.status()).toMatchObject({ state: 'ready', pending: 0, problems: [] });
        expect(await found()).toEqual(truth);
        expect(
          (await pathsFor(index, queries.map((query) => `"${query}"`).join(' ') || 'x')).sort(),
        ).toEqual(plainScan(own, queries.length > 0 ? queries : ['x']));
      },
    ),
    { seed: 1, numRuns: 60 },
  );
}, 120_000);

test('pages through all hits without a gap or a repetition, also while the index grows', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 130 }, (_, at) => [
      `d${at % 7}/n${at}.md`,
      `needle ${'x '.repeat(at % 9)}`,
    ]),
  );
  const index = openIndex(vaultFolder(notes));
  expect((await allPages(index, 'needle', 17)).sort()).toEqual(Object.keys(notes).sort());
  await index.complete();
  expect((await allPages(index, 'needle', 17)).sort()).toEqual(Object.keys(notes).sort());

  const first = await searchNotes(index, { query: 'needle', limit: 100 });
  index.changed('d0/n0.md');
  index.changed('d1/n1.md');
  await index.complete();
  const rest = await searchNotes(index, { query: 'needle', limit: 100, cursor: first.next_cursor });
  const paths = [...first.notes, ...rest.notes].map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

async function allPages(index: VaultIndex, query: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await searchNotes(index, { query, limit, cursor });
    expect(page.notes.length).toBeLessThanOrEqual(limit);
    found.push(...page.notes.map(({ path }) => path));
    cursor = page.next_cursor;
    if (cursor === undefined) return found;
  }
}

test.each(['x', '', 'e30', Buffer.from('{"ceiling":1}').toString('base64url')])(
  'refuses the cursor %j, which it never gave',
  async (cursor) => {
    const index = openIndex(vaultFolder({ 'n.md': 'x' }));
    await expect(searchNotes(index, { query: 'x', limit: 5, cursor })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  },
);

test('puts notes with the words in their names first, however old', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`n${at}.md`, 'about the garden office and more']),
  );
  const folder = vaultFolder({ 'Garden office.md': 'The garden and its office.', ...notes });
  utimesSync(join(folder, 'Garden office.md'), 1, 1);
  const index = openIndex(folder);
  await index.complete();
  expect((await pathsFor(index, 'garden office', 5))[0]).toBe('Garden office.md');
});

test('reads a note too large for the index, and stops when aborted', async () => {
  const folder = vaultFolder({
    'large.md': `${'filler '.repeat(800_000)} needle`,
    'small.md': 'x',
  });
  const index = openIndex(folder);
  await index.complete();
  expect(index.status()).toMatchObject({ state: 'ready', pending: 0 });
  expect(await pathsFor(index, 'needle')).toEqual(['large.md']);
  const stopped = AbortSignal.abort(new Error('enough'));
  await expect(
    searchNotes(index, { query: 'needle', limit: 5 }, { signal: stopped }),
  ).rejects.toThrow('enough');
});

test('an answer that a note holds changes neither what is found nor how it is shown', async () => {
  const asking = '# Garden\n\n```vault\ntool: search_notes\nquery: garden\n```\n';
  const other = { 'Office.md': 'An office in the garden. #building [[Garden]]' };
  const before = openIndex(vaultFolder({ 'Garden.md': asking, ...other }));
  const answer = await searchNotes(before, { query: 'garden', limit: 5 });
  const payload = JSON.stringify(answer);
  for (const written of [
    `\`\`\`mcp-result ${attributes} type=json\n${payload}\n\`\`\``,
    `<!-- mcp-result ${attributes} -->\n${payload} #fresh [[Office]]\n<!-- /mcp-result -->`,
    `> [!mcp]- vault: search_notes <!-- mcp-result ${attributes} -->\n> ${payload} #fresh\n<!-- /mcp-result -->`,
  ]) {
    const after = openIndex(vaultFolder({ 'Garden.md': `${asking}\n${written}\n`, ...other }));
    expect(await searchNotes(after, { query: 'garden', limit: 5 })).toEqual(answer);
    await after.complete();
    expect(await searchNotes(after, { query: 'garden', limit: 5 })).toEqual(answer);
    expect(await pathsFor(after, 'mcp')).toEqual([]);
    expect(await countTags(after)).toEqual([{ tag: 'building', count: 1 }]);
    expect((await findBacklinks(after, 'Office.md')).links).toEqual([]);
  }
});
