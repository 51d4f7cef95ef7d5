import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { redrawResult } from './redraw-result.ts';
import type { ResultContent } from './result-lines.ts';
import { writeResult } from './write-result.ts';

function first(note: string) {
  const scanned = scan(note);
  return { scan: scanned, block: findToolBlocks(scanned, contextOf(['weather']))[0] as ToolBlock };
}

function write(note: string, content: Partial<ResultContent>): string {
  const { scan: scanned, block } = first(note);
  const whole = { status: 'success', type: 'text', payload: 'a **b**', ...content } as const;
  const written = writeResult(scanned, block, whole);
  return written.kind === 'edit' ? applyEdits(note, [written.edit]) : written.kind;
}

const picture = { payload: 'see\n![[Files/a.png]]', embeds: ['Files/a.png'] };
const json = { type: 'json', payload: '{}' } as const;

test.each<[string, Partial<ResultContent>, string, 'fresh' | 'redrawn' | 'stale']>([
  ['', {}, ' timeout=5s', 'fresh'],
  ['', {}, ' display=collapsed', 'redrawn'],
  [' display=inline', {}, '', 'redrawn'],
  [' as=callout', picture, ' as=callout display=collapsed', 'redrawn'],
  ['', {}, ' as=markdown', 'redrawn'],
  ['', {}, ' as=callout', 'redrawn'],
  [' as=markdown', picture, ' as=callout', 'redrawn'],
  [' as=callout', { payload: '---' }, ' as=markdown', 'redrawn'],
  ['', {}, ' as=text', 'fresh'],
  [' as=text', {}, '', 'fresh'],
  [' as=text', { as: 'text' }, '', 'stale'],
  [' as=json', json, '', 'fresh'],
  [' as=json', { ...json, as: 'json' }, '', 'stale'],
  ['', json, ' as=text', 'stale'],
  ['', json, ' as=markdown', 'stale'],
  ['', {}, ' as=json', 'stale'],
  [' as=markdown', {}, '', 'stale'],
  ['', { payload: 'a\nattachment 1: x.png' }, ' as=markdown', 'stale'],
  ['', { type: 'image', payload: 'x.png' }, ' as=text', 'fresh'],
])('an answer to %j with %j is, once the block says %j, %s', (before, content, after, expected) => {
  const request = (options: string) => `\`\`\`weather${options}\ntool: a\n\`\`\`\n`;
  const note = write(request(before), content);
  expect(first(note).block.state).toBe('fresh');
  const changed = note.replace(request(before), request(after));
  const { block } = first(changed);
  expect(block.state).toBe(expected === 'fresh' ? 'fresh' : 'stale');
  if (expected === 'fresh') return;
  const redrawn = redrawResult(block);
  expect(redrawn === null).toBe(expected === 'stale');
  if (redrawn === null) return;
  // As if the block had been written so at first.
  const drawn = write(changed, redrawn);
  expect(first(drawn).block.state).toBe('fresh');
  expect(first(drawn).block.result?.payload.trim()).toBe(
    first(write(request(after), content)).block.result?.payload.trim(),
  );
});
