import { findConversations, findToolBlocks, scan } from '@errand/document';
import { HostError } from '@errand/host';
import { untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { forecast, noteTurn, openNote, textOf } from '../testing/note-turn.ts';
import { call, lastSent, readTool } from '../testing/turn-fixture.ts';

/** Hashes are tested elsewhere. */
const masked = (note: string) => note.replace(/(req|sum)=[0-9a-f]{10}/g, '$1=…');

test('answers the open question below it, with calls as blocks', async () => {
  await using fixture = await openNote(
    '# Trip\n\n#User : How warm is it in London?\n\n# Rest\n\nmine\n',
    { text: ['I ', 'look.'], calls: [forecast] },
    { text: ['It is **12 °C**.\n\n', 'Take a coat.'] },
  );
  const answer = await noteTurn(fixture);
  expect(answer).toMatchObject({
    end: { state: 'answered' },
    line: 3,
    isWritten: true,
    kept: null,
  });
  expect(masked(textOf(fixture))).toBe(`# Trip

#User : How warm is it in London?

#Claude : I look.

\`\`\`weather
tool: forecast
city: London
\`\`\`

\`\`\`mcp-result req=… sum=… type=text
12 °C in London
\`\`\`

It is **12 °C**.

Take a coat.

# Rest

mine
`);
});

test('a question is answered where it was asked, above the headings below it', async () => {
  const below = '## Details\n\nMore.\n';
  const above = '# Trip\n\n#User : One?\n\n#Claude : See below.\n\n';
  await using fixture = await openNote(`${above}${below}`, { text: ['Yes.'] });
  expect(await noteTurn(fixture, { line: 3, question: 'Two?' })).toMatchObject({ line: 7 });
  expect(textOf(fixture)).toBe(`${above}#User : Two?\n\n#Claude : Yes.\n\n${below}`);
});

test('a question is written into the note, and the transcript is sent back with its calls', async () => {
  await using fixture = await openNote(
    'About my trip.\n',
    { calls: [forecast] },
    { text: ['12.'] },
    { text: ['Yes.'] },
  );
  await noteTurn(fixture, { question: 'How warm?' });
  await noteTurn(fixture, { question: 'Sure?' });
  expect(masked(textOf(fixture))).toMatch(
    /^About my trip\.\n\n#User : How warm\?\n\n#Claude :\n\n```weather[\s\S]*\n\n12\.\n\n#User : Sure\?\n\n#Claude : Yes\.\n$/,
  );
  expect(lastSent(fixture)).toContain('About my trip.');
  expect(lastSent(fixture)).toContain('12 °C in London');
  expect(lastSent(fixture)).toContain('"name":"weather__forecast"');
  expect(lastSent(fixture)).not.toContain('mcp-result');
});

test('notes that a question links to are read, as data', async () => {
  await using fixture = await openNote(
    '#User : Where does [[Ines]] live? See [her](People/Ines.md), [[Nowhere]] and [web](https://x.test/a.md).\n',
    { text: ['In Porto.'] },
  );
  await noteTurn(fixture);
  expect(lastSent(fixture)).toMatch(
    /\[data \w+\]\\nnote People\/Ines\.md:\\nInes lives in Porto\./,
  );
});

test('#NewChat starts over', async () => {
  await using fixture = await openNote(
    '#User : old\n\n#Claude : older\n\n#NewChat\n\n#User : new\n',
    {
      text: ['Hi.'],
    },
  );
  await noteTurn(fixture);
  expect(JSON.stringify(fixture.model.requests[0]?.body.messages)).not.toContain(
    '{"role":"assistant"',
  );
  expect(textOf(fixture)).toMatch(/#User : new\n\n#Claude : Hi\.\n$/);
});

test('a question that starts over is written below the conversation, and knows nothing of it', async () => {
  await using fixture = await openNote(
    '# A\n\n#User : old\n\n#Claude : older\n\n# B\n\n#User : other\n',
    { text: ['Hi.'] },
  );
  await noteTurn(fixture, { question: 'new', line: 3, startsOver: true });
  expect(textOf(fixture)).toBe(
    '# A\n\n#User : old\n\n#Claude : older\n\n#NewChat\n\n#User : new\n\n#Claude : Hi.\n\n# B\n\n#User : other\n',
  );
  expect(fixture.model.requests[0]?.body.messages).toHaveLength(1);
});

test('a note without an open question says how to write one', async () => {
  await using fixture = await openNote('#User : q\n\n#Claude : a\n');
  await expect(noteTurn(fixture)).rejects.toThrow(/no unanswered question.*"#User :/);
});

test('keeps a truncated answer in the note and says that it is truncated', async () => {
  await using fixture = await openNote('#User : q\n\n```js\nmine\n```\n', {
    text: ['One.\n\nTwo:\n\n```js\nlet a'],
    cut: 'lost',
  });
  expect(await noteTurn(fixture)).toMatchObject({ end: { state: 'failed', code: 'answer_cut' } });
  expect(textOf(fixture)).toBe(
    '#User : q\n\n```js\nmine\n```\n\n#Claude : One.\n\nTwo:\n\n```js\nlet a\n```\n\n*(The answer was cut off here.)*\n',
  );
});

test('keeps the text received so far when it is stopped', async () => {
  const hold = Promise.withResolvers<void>();
  await using fixture = await openNote('#User : q\n', {
    text: ['One.\n\nTwo', ' more'],
    hold: hold.promise,
  });
  const stopping = new AbortController();
  const answer = await noteTurn(fixture, {
    signal: stopping.signal,
    onEvent: ({ kind }) => kind === 'text-added' && stopping.abort(),
  });
  hold.resolve();
  expect(answer.end.state).toBe('cancelled');
  expect(textOf(fixture)).toBe('#User : q\n\n#Claude : One.\n\nTwo\n\n*(Stopped here.)*\n');
});

test.each([
  ['its text', 'text-added', { text: ['One.\n\nTwo', ' more'], hold: new Promise(() => {}) }],
  ['a call', 'call-started', { text: ['One.\n\nTwo'], calls: [forecast] }],
  ['its first call', 'call-started', { calls: [forecast] }],
])(
  'stopping all calls in the middle of %s leaves the note whole, and says so there',
  async (_, at, step) => {
    const below = '\n\n# Rest\n\n```js\nmine\n```\n';
    await using fixture = await openNote(`#User : q${below}`, step);
    const { host, connector } = fixture.memory;
    connector.behaviours.set('weather', {
      tools: [readTool('forecast')],
      call: (_call, { signal }) => untilAborted(signal),
    });
    const answer = await noteTurn(fixture, { onEvent: ({ kind }) => kind === at && host.stop() });
    expect(answer.end).toMatchObject({ state: 'cancelled', message: 'Execution stopped by user' });
    const text = textOf(fixture);
    expect(text.endsWith(`\n\n*(Stopped here.)*${below}`)).toBe(true);
    expect(text).toContain('text' in step ? '#Claude : One.\n\nTwo\n' : 'code=stopped');
    expect(findConversations(scan(text), ['Claude'])).toHaveLength(1);
  },
);

test('a denied call is in the transcript as one', async () => {
  await using fixture = await openNote(
    '#User : q\n',
    { calls: [call('files__echo', { text: 'x' })] },
    { text: ['Pity.'] },
  );
  await noteTurn(fixture);
  const context = fixture.memory.host.servers.noteContext('Trip.md');
  const blocks = findToolBlocks(scan(textOf(fixture)), context);
  expect(blocks.map(({ req, result }) => result?.req === req)).toEqual([true]);
  expect(masked(textOf(fixture))).toContain(
    '```mcp-error req=… sum=… code=approval_denied type=text\nfiles echo was not allowed: there is nobody to ask.\n```',
  );
});

test('ends the turn when the answer is deleted, and keeps the text received so far', async () => {
  const hold = Promise.withResolvers<void>();
  await using fixture = await openNote('#User : q\n', {
    text: ['One.\n\n', 'Two.\n\nThree.'],
    hold: hold.promise,
  });
  const answering = noteTurn(fixture);
  await expect.poll(() => textOf(fixture)).toContain('One.');
  fixture.notes.texts.set('Trip.md', 'All new.\n');
  hold.resolve();
  const answer = await answering;
  expect(answer.end).toMatchObject({ state: 'failed', code: 'note_changed' });
  expect(answer.end.message).toContain(answer.kept);
  expect(textOf(fixture)).toBe('All new.\n');
  expect([...fixture.memory.log.results.values()].join()).toContain('Two.');
});

test('a note that cannot be written is refused before the model is asked', async () => {
  await using fixture = await openNote('#User : q\n');
  const notes = {
    read: (path: string) => fixture.notes.read(path),
    edit: fixture.notes.edit.bind(fixture.notes),
    ensureWritable: async () => {
      throw new HostError('note_unreadable', 'Trip.md is read-only.');
    },
  };
  await expect(noteTurn(fixture, { notes })).rejects.toThrow('read-only');
  expect(fixture.model.requests).toEqual([]);
});

test('writes the answer into the note while the model is still streaming', async () => {
  const hold = Promise.withResolvers<void>();
  await using fixture = await openNote('#User : q\n', {
    text: ['One.\n\nTw', 'o.'],
    hold: hold.promise,
  });
  const answering = noteTurn(fixture);
  await expect.poll(() => textOf(fixture)).toBe('#User : q\n\n#Claude : One.\n');
  hold.resolve();
  await answering;
  expect(textOf(fixture)).toBe('#User : q\n\n#Claude : One.\n\nTwo.\n');
});

test.each([
  [
    'a formula and a fence with its mark',
    ['```\n$$\n```\n\nIt costs $$ five.\n\n', 'And $$ more.'],
  ],
  ['a fence below HTML', ['<div>\nText\n```js\nlet a;\n\n', 'let b;\n```\n\nEnd.']],
])('writes %s once, however they are streamed', async (_what, text) => {
  await using fixture = await openNote('#User : q\n');
  fixture.model.next({ text, hold: expect.poll(() => fixture.events.length).toBeGreaterThan(1) });
  await noteTurn(fixture);
  for (const words of ['five', 'more', 'let a', 'let b', 'End']) {
    expect(textOf(fixture).split(words).length).toBe(text.join('').split(words).length);
  }
});

test('escapes a question that would hide its answer', async () => {
  for (const question of [
    'How do I use %% in a note?',
    'Mend this:\n```js\nlet a',
    'Why <!--\nhere?',
  ]) {
    await using fixture = await openNote('# Trip\n', { text: ['So.'] });
    const { end } = await noteTurn(fixture, { question });
    expect(end).toMatchObject({ state: 'answered' });
    expect(textOf(fixture)).toContain(question);
    expect(textOf(fixture)).toMatch(/\n\n#Claude : So\.\n$/);
  }
});
