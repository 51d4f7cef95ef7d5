import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { findFencedResults } from './find-result.ts';
import { writeResult } from './write-result.ts';

const context = contextOf(['weather']);
const request = '```weather\ntool: a\n```';

function first(text: string) {
  const scanned = scan(text);
  return { scan: scanned, block: findToolBlocks(scanned, context)[0] as ToolBlock };
}

function write(note: string, force = false): string {
  const { scan: scanned, block } = first(note);
  const content = { status: 'success', type: 'text', payload: 'answer' } as const;
  const written = writeResult(scanned, block, content, { force });
  return written.kind === 'edit' ? applyEdits(note, [written.edit]) : written.kind;
}

test('results in fences are found wherever they stand, with what their first line says', () => {
  const note = scan(
    [
      '> ```mcp-result req=1 sum=2 type=json display=collapsed',
      '> {"a": 1}',
      '> ```',
      '',
      '```mcp-error code=timeout type=text',
      'It took too long.',
      '```',
      '',
      '```text',
      'mcp-result',
      '```',
      '',
    ].join('\n'),
  );
  expect(findFencedResults(note)).toEqual([
    {
      line: 1,
      status: 'success',
      req: '1',
      sum: '2',
      type: 'json',
      code: null,
      as: null,
      display: 'collapsed',
      payload: '{"a": 1}',
    },
    {
      line: 5,
      status: 'error',
      req: null,
      sum: null,
      type: 'text',
      code: 'timeout',
      as: null,
      display: null,
      payload: 'It took too long.',
    },
  ]);
});

test('a block is refused while its result stands apart from it, with words between or as an item of a list', () => {
  for (const as of ['', ' as=markdown', ' as=callout']) {
    const own = `${request.replace('weather', `weather${as}`)}\n`;
    const note = `${own}\nother\n\n${request.replace('tool: a', 'tool: b')}\n`;
    const written = write(note);
    for (const edited of [
      written.replace('```\n\n', '```\n\nmy remark\n\n'),
      written.replace('```\n\n', '```\n\nmy remark\n'),
      written.replace(/\n\n(.*mcp-result)/, '\n\n- $1'),
    ]) {
      expect(edited).not.toBe(written);
      expect(first(edited).block.refusal, edited).toMatchObject({
        code: 'note_changed',
        message: expect.stringMatching(/result of this block is on line [567], apart/),
      });
      expect(write(edited, true)).toBe('refused');
      expect(first(edited.replace('tool: a', 'tool: c')).block.refusal).toBeNull();
    }
    // What stands below the next block is not meant.
    expect(first(`${own}\n${written}`).block.refusal).toBeNull();
  }
});

test('a block is refused while the first line of its result is none any more, because of words in front of it', () => {
  for (const as of ['', ' as=markdown', ' as=callout']) {
    const written = write(`${request.replace('weather', `weather${as}`)}\n\nother\n`);
    for (const words of ['## ', '    ', ...(as === '' ? ['my remark ', '**', '| '] : [])]) {
      const edited = written.replace(/\n\n(.*mcp-result)/, (_, line) => `\n\n${words}${line}`);
      expect(first(edited).block, edited).toMatchObject({
        result: null,
        refusal: {
          code: 'note_changed',
          message: expect.stringMatching(/on line 5, whose beginning was changed/),
        },
      });
      expect(write(edited, true)).toBe('refused');
      // In another fence, or in a comment, it is only shown.
      const shown = edited.replace(/\n\n(.*mcp-result[\s\S]*)/, '\n\n~~~~\n$1\n~~~~\n');
      expect(first(shown).block.refusal, shown).toBeNull();
      expect(first(edited.replace(words, `%%\n${words}`)).block.refusal).toBeNull();
    }
  }
});
