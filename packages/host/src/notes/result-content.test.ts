import type { ResultForm } from '@errand/document';
import { expect, test } from 'vitest';
import type { RawToolResult } from '../connection.ts';
import { typeResult } from '../executor/type-result.ts';
import { resultContent } from './result-content.ts';

function contentOf(raw: RawToolResult, as?: ResultForm, folder = 'Files') {
  const saved: string[] = [];
  const save = async (_bytes: Uint8Array, extension: string) => {
    saved.push(extension);
    return `${folder}/${saved.length}.${extension}`;
  };
  return resultContent(typeResult(raw, 1), as, { save });
}

test.each([
  ['image/png', 'png'],
  ['IMAGE/PNG; q=1', 'png'],
  ['../../evil', 'bin'],
  ['constructor', 'bin'],
  ['__proto__', 'bin'],
])('a file of the type %s ends in .%s', async (mimeType, extension) => {
  const content = [
    { type: 'text', text: '' },
    { type: 'image', mimeType, data: 'AAAA' },
  ];
  expect((await contentOf({ content })).payload).toContain(`attachment 1: Files/1.${extension}`);
});

const text = (value: string) => ({ type: 'text', text: value });
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
const sound = { type: 'audio', mimeType: 'audio/ogg', data: 'AAAA' };
const both = { content: [text('# Hi\n\n**12 °C**')], structuredContent: { t: 12 } };

test.each<[string, RawToolResult, ResultForm | undefined, object]>([
  ['structured content', both, undefined, { type: 'json', payload: '{\n  "t": 12\n}' }],
  ['structured content', both, 'json', { type: 'json', payload: '{\n  "t": 12\n}' }],
  ['the text', both, 'text', { type: 'text', payload: '# Hi\n\n**12 °C**', as: 'text' }],
  ['the text', both, 'markdown', { payload: '# Hi\n\n**12 °C**' }],
  ['the text', both, 'callout', { payload: '# Hi\n\n**12 °C**' }],
  [
    'structured content without any text',
    { content: [text('')], structuredContent: { t: 12 } },
    'markdown',
    { payload: '{\n  "t": 12\n}' },
  ],
  [
    'JSON as it was sent',
    { content: [text('{"a":1.10,  "b":1e3}')] },
    'text',
    { type: 'text', payload: '{"a":1.10,  "b":1e3}', as: 'text' },
  ],
  ['a picture', { content: [png] }, undefined, { type: 'image', payload: 'Files/1.png' }],
  ['a picture', { content: [png] }, 'text', { type: 'image', payload: 'Files/1.png' }],
  [
    'a picture',
    { content: [png] },
    'markdown',
    { payload: '![[Files/1.png]]', embeds: ['Files/1.png'] },
  ],
  [
    'text, pictures and sound in their order',
    { content: [text('a'), png, text('b'), sound, png], structuredContent: { t: 12 } },
    'callout',
    {
      payload:
        'a\n\n![[Files/1.png]]\n\nb\n\n[attachment 2: audio/ogg, about 3 bytes]\n\n![[Files/3.png]]\nattachment 2: Files/2.ogg',
      embeds: ['Files/1.png', 'Files/3.png'],
    },
  ],
  [
    'structured content and a picture',
    { content: [png], structuredContent: { t: 12 } },
    'markdown',
    { payload: '{\n  "t": 12\n}\n![[Files/1.png]]', embeds: ['Files/1.png'] },
  ],
])('writes %s: %j as=%s', async (_name, raw, as, expected) => {
  expect(await contentOf(raw, as)).toEqual({
    status: 'success',
    type: expect.any(String),
    ...expected,
  });
});

test('large JSON keeps its type, and its file its ending', async () => {
  const json = JSON.stringify(Array.from({ length: 3000 }, (_, index) => ({ index })));
  for (const as of [undefined, 'json'] as const) {
    const { type, payload } = await contentOf({ content: [text(json)] }, as);
    expect(type).toBe('json');
    expect(payload).toMatch(
      /^\[\n {2}\{[\s\S]*\n… all of it \(\d+ lines, \d+ bytes\): Files\/1\.json$/,
    );
  }
});

test('a long text of one line is said to have one', async () => {
  const { payload } = await contentOf({ content: [text('x'.repeat(100_000))] });
  expect(payload).toContain('… all of it (1 line, 100000 bytes): Files/1.txt');
});

test('names the pictures of a long text whose end is in a file', async () => {
  const long = text(Array.from({ length: 600 }, (_, line) => `line ${line}`).join('\n'));
  const { payload } = await contentOf({ content: [long, png] }, 'markdown');
  expect(payload).toMatch(/\nline 39\n… all of it .*Files\/2\.txt\n!\[\[Files\/1\.png\]\]$/);
});

test('a picture whose path cannot stand in an embed is named', async () => {
  const { payload, embeds } = await contentOf({ content: [png] }, 'markdown', 'a#b');
  expect([payload, embeds]).toEqual(['a#b/1.png', undefined]);
});
