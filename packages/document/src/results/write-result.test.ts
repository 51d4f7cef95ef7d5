import { readFileSync } from 'node:fs';
import { HtmlRenderer, Parser } from 'commonmark';
import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { findResultFlaws } from '../testing/find-flaws.ts';
import { contextOf } from '../testing/note-context.ts';
import { resultFlaw } from '../testing/result-flaw.ts';
import { detachResult } from './detach-result.ts';
import { removeResult } from './remove-result.ts';
import type { ResultContent } from './result-lines.ts';
import { withoutResults } from './without-results.ts';
import { writeResult } from './write-result.ts';

const context = contextOf(['weather']);

function first(text: string) {
  const scanned = scan(text);
  return { scan: scanned, block: findToolBlocks(scanned, context)[0] as ToolBlock };
}

function write(note: string, content: Partial<ResultContent> = {}, force = false): string {
  const { scan: scanned, block } = first(note);
  const written = writeResult(
    scanned,
    block,
    { status: 'success', type: 'text', payload: 'answer', ...content },
    { force },
  );
  return written.kind === 'edit' ? applyEdits(note, [written.edit]) : written.kind;
}

/** Hashes are tested elsewhere. */
function masked(note: string): string {
  return note.replace(/(req|sum)=[0-9a-f]{10}/g, '$1=…');
}

const request = '```weather\ntool: a\n```';

test('preserves the note, whatever the note and the results', () => {
  expect(findResultFlaws(1, 300)).toEqual([]);
}, 120_000);

const onceHarmed = JSON.parse(
  readFileSync(new URL('./fixtures/once-harmed.json', import.meta.url), 'utf8'),
) as readonly [note: string, payload: string][];
test.each(onceHarmed)('preserves %j when writing %j', (note, payload) => {
  expect(resultFlaw(note, [payload])).toBeNull();
});

test('stands one blank line below its request, in a fence longer than any inside', () => {
  expect(
    masked(write(`${request}\nnext\n`, { payload: 'a\n````js\n````\n', type: 'markdown' })),
  ).toBe(
    `${request}\n\n\`\`\`\`\`mcp-result req=… sum=… type=markdown\na\n\`\`\`\`js\n\`\`\`\`\n\`\`\`\`\`\nnext\n`,
  );
});

test('stands below the block id', () => {
  expect(masked(write(`${request}\n^w1\n\nnext`))).toBe(
    `${request}\n^w1\n\n\`\`\`mcp-result req=… sum=… type=text\nanswer\n\`\`\`\n\nnext`,
  );
});

test('does not take an id inside a paragraph for that of the block', () => {
  expect(masked(write(`${request}\n^w1\nnext`))).toContain('answer\n```\n^w1\nnext');
});

test('carries the prefix of its container on every line', () => {
  const note = '> 1. x\n>\n>    ```weather\n>    tool: a\n>    ```\n> after\n';
  expect(masked(write(note, { payload: 'a\n\n  b' }))).toBe(
    '> 1. x\n>\n>    ```weather\n>    tool: a\n>    ```\n>\n>    ```mcp-result req=… sum=… type=text\n>    a\n>\n>      b\n>    ```\n> after\n',
  );
});

test('keeps tabs as the indent of a list', () => {
  expect(masked(write('- x\n\t```weather\n\ttool: a\n\t```\n'))).toBe(
    '- x\n\t```weather\n\ttool: a\n\t```\n\t```mcp-result req=… sum=… type=text\n\tanswer\n\t```\n',
  );
});

test('leaves a tight list tight, whatever the form, and finds the result again', () => {
  const tightness = (note: string) => {
    const lists: boolean[] = [];
    const walker = new Parser().parse(note).walker();
    for (let event = walker.next(); event; event = walker.next()) {
      if (event.entering && event.node.type === 'list') lists.push(event.node.listTight);
    }
    return lists;
  };
  const notes = [
    '- one\n- two\n  X\n- three\n',
    '- X\n- three\n',
    'text\n\n- X\n- three\n',
    '- one\n  - deep\n    X\n    more\n  - deeper\n- last\n',
    '1. one\n2. two\n   X\n   more\n\nafter\n',
    '> - one\n>   X\n> - two\n',
    '- > quoted\n  > X\n- two\n',
    '- one\n\n  X\n- two\n',
    '- one\n  X\n\n- two\n',
    '- one\n\n- X\n- two\n',
    '- one\n\tX\n- two\n',
    '- one\r\n  X\r\n- two\r\n',
    '- one\n  X\n  ^w1\n- two\n',
    '- X\n  ^w1\n- two\n',
    '- one\n\n  X\n  ^w1\n- two\n',
  ];
  for (const note of notes) {
    for (const form of ['', ' as=markdown', ' as=callout']) {
      const [, prefix = ''] = /([^\n]*)X/.exec(note) ?? [];
      const further = prefix.endsWith('- ') ? prefix.replace('- ', '  ') : prefix;
      const lines = [`\`\`\`weather${form}`, 'tool: a', '```'];
      const end = note.includes('\r') ? '\r\n' : '\n';
      const before = note.replace('X', lines.join(`${end}${further}`));
      const after = write(before, { payload: form === '' ? 'a\n\nb' : 'a\nb' });
      expect(tightness(after), after).toEqual(tightness(before));
      expect(first(after).block.state, after).toBe('fresh');
      const again = write(after, { payload: 'other' });
      expect(tightness(again), again).toEqual(tightness(before));
      expect(applyEdits(again, removeResult(first(again).block))).toBe(before);
    }
  }
});

test('adds a space to a quote marker that has none, to protect that of the payload', () => {
  const note = '>```weather\n>tool: a\n>```';
  const after = write(note, { payload: ' a' });
  expect(after).toContain('\n>  a\n');
  expect(first(after).block.result?.payload).toBe(' a');
});

test('line ends, byte order mark and the missing final line end stay', () => {
  expect(masked(write('\uFEFF```weather\r\ntool: a\r\n```', { payload: 'a\nb\r\n' }))).toBe(
    '\uFEFF```weather\r\ntool: a\r\n```\r\n\r\n```mcp-result req=… sum=… type=text\r\na\r\nb\r\n```',
  );
});

test('an error says its code, a display option is kept, and an empty answer has no lines', () => {
  const note = '```weather display=collapsed\ntool: a\n```\n';
  expect(masked(write(note, { status: 'error', code: 'timeout', payload: '' }))).toBe(
    `${note}\n\`\`\`mcp-error req=… sum=… code=timeout type=text display=collapsed\n\`\`\`\n`,
  );
});

test('an invalid block gets its error too, without a request hash', () => {
  const note = '```weather\ncity: x\n```\n';
  expect(masked(write(note, { status: 'error', code: 'block_invalid', payload: 'no tool' }))).toBe(
    `${note}\n\`\`\`mcp-error sum=… code=block_invalid type=text\nno tool\n\`\`\`\n`,
  );
});

test('replaces the result that stands there, error by success and form by form', () => {
  let note = write(`${request}\n\nafter\n`, { status: 'error', code: 'timeout' });
  note = write(note);
  expect(masked(note)).toBe(
    `${request}\n\n\`\`\`mcp-result req=… sum=… type=text\nanswer\n\`\`\`\n\nafter\n`,
  );
  note = write(note.replace('weather', 'weather as=markdown'));
  expect(masked(note)).toContain(
    '\n\n<!-- mcp-result req=… sum=… -->\nanswer\n<!-- /mcp-result -->\n\nafter\n',
  );
  note = write(note.replace('as=markdown', 'as=callout'));
  expect(masked(note)).toContain(
    '\n\n> [!mcp]- weather: a <!-- mcp-result req=… sum=… -->\n> answer\n<!-- /mcp-result -->\n\nafter\n',
  );
  note = write(note.replace(' as=callout', ''));
  expect(masked(note)).toBe(
    `${request}\n\n\`\`\`mcp-result req=… sum=… type=text\nanswer\n\`\`\`\n\nafter\n`,
  );
});

test('leaves the note unchanged for an equal answer, even with mixed line ends', () => {
  const after = write(`${request}\n`);
  expect(write(after)).toBe('unchanged');
  expect(write(`${after.replaceAll('\n', '\r\n')}\n\n\n`)).toBe('unchanged');
});

test('a result edited by hand is refused, and replaced when forced', () => {
  const edited = write(request).replace('answer', 'mine');
  expect(write(edited)).toBe('refused');
  expect(write(edited, {}, true)).toBe(write(request));
});

test('a block or result without end is refused, even when forced', () => {
  expect(write('```weather\ntool: a\n', {}, true)).toBe('refused');
  expect(write(write(request).replace(/\n```$/, ''), {}, true)).toBe('refused');
  const live = write(request.replace('weather', 'weather as=markdown'));
  expect(write(live.replace('<!-- /mcp-result -->', ''), {}, true)).toBe('refused');
});

test('removes control characters from the payload', () => {
  const after = write(request, {
    payload: '\u001b[31mred\u001b[0m\0 \ud800 \u001b]8;;x\u0007link',
  });
  expect(first(after).block.result?.payload).toBe('red \ufffd link');
});

test('neutralises hidden characters, templates and queries in a fence too', () => {
  const written = (payload: string, type: ResultContent['type'], options = '') => {
    const note = write(request.replace('weather', `weather${options}`), { payload, type });
    return first(note).block.result;
  };
  expect(written('= a\u202e <% b', 'text')?.payload).toBe('\\= a\\u202e < % b');
  expect(written('= a\u202e <% b', 'text', ' live=yes')?.payload).toBe('= a\u202e <% b');
  const json = JSON.stringify({ a: '\u202e <% b' });
  const payload = written(json, 'json')?.payload ?? '';
  expect(payload).not.toMatch(/\u202e|<%/);
  expect(JSON.parse(payload)).toEqual(JSON.parse(json));
});

test('keeps a live answer unchanged, unless it would reach beyond its end', () => {
  const live = (payload: string) =>
    first(write(request.replace('weather', 'weather as=markdown live=yes'), { payload })).block
      .result?.payload;
  const html = '<details><summary>a</summary>\n\n![b](https://c.example/d.png)\n\n</details>';
  expect(live(`${html}\n\n\`= this.x\``)).toBe(`${html}\n\n\`= this.x\``);
  expect(live(html)).toBe(`${html}\n`);
  expect(live('<script>')).toBe('&lt;script>');
  expect(live('<!-- a')).toBe('&lt;!-- a');
  expect(live('a\n<!-- /mcp-result -->\nb')).toBe('a\n&lt;!-- /mcp-result -->\nb');
  expect(live('%% a')).toBe('%\\% a');
});

test.each(['', ' as=markdown', ' as=markdown live=yes', ' as=callout', ' live=yes'])(
  'an answer%s does not end a --- that begins the note',
  (options) => {
    const note = `---\n\n\`\`\`weather${options}\ntool: a\n\`\`\`\n\nText\n`;
    const once = write(note, { payload: 'mcp:\n  server: x\n---\nmore\n---  \n' });
    expect(scan(once).frontmatter).toBeNull();
    expect(first(once).block.result).toMatchObject({ isEdited: false, isClosed: true });
    expect(withoutResults(scan(once))).toBe(note);
  },
);

test('an answer keeps its --- where the note has frontmatter, or none begins', () => {
  expect(write(`---\na: b\n---\n\n${request}\n`, { payload: 'a\n---\nb' })).toContain('a\n---\nb');
  expect(write(`${request}\n`, { payload: 'a\n---\nb' })).toContain('a\n---\nb');
});

test('detaching keeps the content and forgets the request', () => {
  for (const [as, expected] of [
    ['', `${request}\n\n\`\`\`text\nanswer\n\`\`\`\nafter`],
    [' as=markdown', `${request}\n\nanswer\nafter`],
    [' as=callout', `${request}\n\n> [!mcp]- weather: a\n> answer\nafter`],
  ] as const) {
    const note = write(`${request.replace('weather', `weather${as}`)}\nafter`);
    const { scan: scanned, block } = first(note);
    const detached = applyEdits(note, detachResult(scanned, block));
    expect(detached.replace(as, '')).toBe(expected);
    expect(first(detached).block.state).toBe('new');
  }
});

test('removing takes the blank line along', () => {
  const { block } = first(write(`${request}\n\nafter`));
  expect(applyEdits(write(`${request}\n\nafter`), removeResult(block))).toBe(`${request}\n\nafter`);
  expect(removeResult(first(request).block)).toEqual([]);
});

test('restores the note without its results, except for results that lost their end', () => {
  for (const as of ['', ' as=markdown', ' as=callout']) {
    const note = `- x\n\n  \`\`\`weather${as}\n  tool: a\n  \`\`\`\n  ^w1\n\nafter\n`;
    expect(withoutResults(scan(write(note)))).toBe(note);
    const lost = write(note).replace(/\n {2}(```|<!-- \/mcp-result -->)\n\nafter/, '\nafter');
    expect(lost).not.toBe(write(note));
    expect(withoutResults(scan(lost))).toBe(lost);
  }
});

test('words on the first or the last line of a result are an edit, and detaching keeps them', () => {
  for (const [as, from, to] of [
    ['', 'type=text', 'type=text my remark'],
    ['', 'type=text', 'type=text type=text'],
    [' as=markdown', '--> ', '--> my remark'],
    [' as=markdown', '<!-- /mcp-result -->', '<!-- /mcp-result --> my remark'],
    [' as=markdown', 'mcp-result req', 'mcp-result my remark req'],
    [' as=markdown', '<!-- mcp-result', 'my remark <!-- mcp-result'],
    [' as=markdown', '<!-- mcp-result', '**my remark** <!-- mcp-result'],
    [' as=callout', 'weather: a', 'my remark'],
    [' as=callout', '[!mcp]-', '[!mcp]+ my remark'],
    [' as=callout', '[!mcp]-', '[!info]-'],
    [' as=callout', '\n> answer', ' my remark\n> answer'],
    [' as=callout', '<!-- /mcp-result -->', '<!-- /mcp-result --> my remark'],
  ] as const) {
    const written = write(`${request.replace('weather', `weather${as}`)}\nafter`);
    const edited = from === '--> ' ? written.replace('-->', to) : written.replace(from, () => to);
    expect(edited).not.toBe(written);
    expect(first(written).block.state).toBe('fresh');
    expect([edited, first(edited).block.state]).toEqual([edited, 'edited']);
    expect(write(edited, { payload: 'other' })).toBe('refused');
    const { scan: scanned, block } = first(edited);
    const detached = applyEdits(edited, detachResult(scanned, block));
    if (to.includes('my remark') && !to.includes('remark req')) {
      expect(detached).toContain('my remark');
    }
    expect(first(detached).block.state).toBe('new');
  }
});

test('text about the comments of results is text', () => {
  const about =
    'It begins with `<!-- mcp-result req=0123456789 sum=0123456789 -->` or <!-- mcp-result -->\n';
  expect(scan(`${request}\n\n${about}`).liveResults).toEqual([]);
});

test('a callout of a request that changed is stale, not edited, while its title is a generated one', () => {
  const written = write(`${request.replace('weather', 'weather as=callout')}\n`);
  expect(first(written.replace('tool: a', 'tool: b')).block.state).toBe('stale');
  const renamed = written.replace('weather: a', 'weather: as it was');
  expect(first(renamed.replace('tool: a', 'tool: b')).block.state).toBe('edited');
});

test.each(['---', '===', '-', ' ----  ', '|---|', ':-: | :-:', '- - -', '=== \n\nmore'])(
  'the title of a callout stays its title when the answer begins with %j',
  (payload) => {
    const note = write('```weather as=callout\ntool: a\n```\n', { payload });
    expect(note).toContain(' -->\n>\n> ');
    const html = new HtmlRenderer().render(new Parser().parse(note));
    expect(html).not.toMatch(/<h\d/);
    expect(first(note).block).toMatchObject({ state: 'fresh', result: { form: 'callout' } });
    expect(write(note, { payload })).toBe('unchanged');
  },
);

test.each(['as=markdown', 'as=callout', 'as=markdown live=yes', 'as=callout live=yes'])(
  'an answer with %s defines no link for the rest of the note',
  (options) => {
    const definitions = [
      '[docs]: https://far.example',
      'text\n\n- [docs]: <https://far.example> "x"\n\n1. > [docs]:\n   https://far.example',
      '[do\ncs]: https://far.example',
      '[^1]: a footnote',
    ];
    for (const payload of definitions) {
      const note = `${write(`\`\`\`weather ${options}\ntool: a\n\`\`\`\n`, { payload })}\n[docs] [do cs]\n`;
      const html = new HtmlRenderer().render(new Parser().parse(note));
      expect(html).toContain('<p>[docs] [do cs]</p>');
      expect(note).not.toMatch(/^[> ]*\[\^1\]:/m);
      expect(first(note).block.state).toBe('fresh');
    }
  },
);

test.each(['markdown', 'callout'])('as=%s shows its own pictures, and no others', (form) => {
  const payload =
    'see\n![[Files/a.png]]\n```\n![[Files/a.png]]\n![[b.png]] ![x](https://far.example)';
  const note = write(`\`\`\`weather as=${form}\ntool: a\n\`\`\`\n`, {
    payload,
    embeds: ['Files/a.png'],
  });
  const { block } = first(note);
  expect(block.result?.payload).toBe(
    'see\n\n![[Files/a.png]]\n\n```\n```\n\n![[Files/a.png]]\n\n&#33;[[b.png]] &#33;[x](https://far.example)',
  );
  expect(block.state).toBe('fresh');
  expect(write(note, { payload, embeds: ['Files/a.png'] })).toBe('unchanged');
});
