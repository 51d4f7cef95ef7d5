import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { conversationAt } from './conversation-at.ts';
import { conversationKey, findConversations } from './find-conversations.ts';

const names = ['Claude', 'Local'];

function read(note: string) {
  return findConversations(scan(note), names).map(({ turns }) =>
    turns.map(({ name, line, text }) => [name, line, text]),
  );
}

test('a role line opens a turn, which ends at the next', () => {
  const note = 'Intro\n\n#User : hello\nthere\n\n#Claude : hi\n\nmore\n\n#user: again\n';
  expect(read(note)).toEqual([
    [
      ['User', 3, 'hello\nthere'],
      ['Claude', 6, 'hi\n\nmore'],
      ['User', 10, 'again'],
    ],
  ]);
});

test('#NewChat starts over, and so does a heading', () => {
  const note =
    '# A\n#User : a\n#NewChat\n#User : b\n\n# B\n\n#User : c\n\n## Deeper\n\nno turn\n\n# End\nno turn\n';
  expect(read(note)).toEqual([[['User', 2, 'a']], [['User', 4, 'b']], [['User', 8, 'c']]]);
});

test('above the first heading, a conversation ends at that heading', () => {
  const note = 'Intro\n\n#User : a\n\n## Plan\n\nmine\n\n#Claude : b\n\n# Later\n\nmore\n';
  expect(read(note)).toEqual([[['User', 3, 'a']], [['Claude', 9, 'b']]]);
  const scanned = scan(note);
  const place = conversationAt(scanned, findConversations(scanned, names), 1);
  expect(place.openTurn?.text).toBe('a');
  const without = scan('Intro\n\n# Plan\n\n#User : a\n');
  const at = conversationAt(without, findConversations(without, names), 1);
  expect(at).toEqual({ conversation: null, openTurn: null, at: 'Intro'.length });
});

test('a question ends at a rule, and an answer does not', () => {
  for (const rule of ['---', '***', ' _ _ _', '- - -']) {
    const note = `#User : a\n\n${rule}\n\nmine\n\n#Claude : b\n\n${rule}\n\nc\n\n## Deeper\n`;
    expect(read(note), rule).toEqual([
      [
        ['User', 1, 'a'],
        ['Claude', 7, `b\n\n${rule}\n\nc`],
      ],
    ]);
  }
  for (const text of [
    'a\n---',
    'a\n- - -b',
    'a\n\n<pre>\n---\n</pre>',
    'a\n\n```\n---\n```',
    'a\n\n- b\n\n  ---\n  c',
    'a\n\n> ---',
    'a\n\n$$\n***\n$$',
    'a\n\n%%\n***\n%%',
  ]) {
    expect(read(`#User : ${text}\n`), text).toEqual([[['User', 1, text]]]);
  }
});

test('a heading of any level ends a turn and the conversation, and the next question goes above it', () => {
  for (const heading of ['# H', '### H', 'H\n---', '###### H']) {
    const note = `## Trip\n\n#User : a\n\n#Claude : b\n\n${heading}\n\nmine\n\n#User : c\n`;
    expect(
      read(note).map((turns) => turns.map(([, , text]) => text)),
      heading,
    ).toEqual([['a', 'b'], ['c']]);
    const scanned = scan(note);
    const { at } = conversationAt(scanned, findConversations(scanned, names), 1);
    expect(note.slice(0, at), heading).toBe('## Trip\n\n#User : a\n\n#Claude : b');
    const empty = scan(`## Trip\n\ntext\n\n${heading}\n\nmine\n`);
    expect(conversationAt(empty, [], 1).at, heading).toBe('## Trip\n\ntext'.length);
  }
});

test('identifies a conversation by its beginning, wherever it moves and however long it gets', () => {
  const keys = (note: string) => {
    const all = findConversations(scan(note), names);
    return all.map((each) => conversationKey(each, all));
  };
  const [first, second, twin, ...more] = keys(
    '#User : a\n\n# B\n\n#User : b\n\n#NewChat\n\n#User : b\n',
  );
  expect(more).toEqual([]);
  expect(new Set([first, second, twin]).size).toBe(3);
  expect(keys('# C\n\n#User : b\n\n#Claude : c\n\n#User : d\n')).toEqual([second]);
});

test('opens no turn at tags, headings, other names, or role lines in fences and comments', () => {
  for (const note of [
    '#todo : buy milk\n',
    '# User : a heading\n',
    '#User asks\n',
    '#Gemini : who?\n',
    ' #User : indented\n',
    '> #User : quoted\n',
    '```\n#User : x\n```\n',
    '%%\n#User : x\n%%\n',
    '$$\n#User : x\n$$\n',
    '<!--\n#User : x\n-->\n',
    '---\na: |\n#User : x\n---\n',
  ]) {
    expect(read(note), note).toEqual([]);
  }
});

test('reads notes with a byte order mark, carriage returns and no final line end', () => {
  expect(read('\uFEFF#User : a\r\nb\r\n\r\n#Local : c')).toEqual([
    [
      ['User', 1, 'a\r\nb'],
      ['Local', 4, 'c'],
    ],
  ]);
});

test('takes the last turn of a conversation for open if it has text', () => {
  const place = (note: string, line?: number) => {
    const scanned = scan(note);
    return conversationAt(scanned, findConversations(scanned, names), line);
  };
  expect(place('#User : a\n\n#Claude : b\n').openTurn).toBeNull();
  expect(place('#User : a\n\n#Claude : b\n\n#User :\n').openTurn).toBeNull();
  expect(place('#User : a\n\n#Claude : b\n\n#User : c\n').openTurn?.text).toBe('c');
  const two = '# A\n#User : a\n# B\n#User : b\n# C\ntext\n\n';
  expect(place(two).openTurn?.text).toBe('b');
  expect(place(two, 2).openTurn?.text).toBe('a');
  expect(place(two, 1).openTurn?.text).toBe('a');
  expect(place(two, 6)).toEqual({ conversation: null, openTurn: null, at: two.length - 2 });
});
