import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { outlineOf } from '../sections/outline.ts';
import { noteArbitrary, payloadArbitrary } from '../testing/note-arbitrary.ts';
import { removeResult } from './remove-result.ts';
import { writeResult } from './write-result.ts';

const context = { servers: [{ id: '1', name: 'weather', enabled: true, sectionBindings: [] }] };

test('writing results and removing them gives back the note, whatever note and results', () => {
  fc.assert(
    fc.property(noteArbitrary, fc.array(payloadArbitrary, { minLength: 1 }), (note, payloads) => {
      let text = note;
      const count = read(note).blocks.length;
      for (let index = 0; index < count; index++) {
        const before = read(text);
        const block = before.blocks[index] as ToolBlock;
        const content = {
          status: 'success',
          type: 'text',
          payload: payloads[index % payloads.length] ?? '',
        } as const;
        const written = writeResult(before.scan, block, content, { force: true });
        if (written.kind === 'refused') {
          expect(block.fence.isClosed && block.result?.isClosed !== false).toBe(false);
          continue;
        }
        if (written.kind === 'unchanged') continue;
        const after = applyEdits(text, [written.edit]);
        const now = read(after);
        expect(now.blocks.map(withoutResult)).toEqual(before.blocks.map(withoutResult));
        expect(outlineOf(now.scan).map(({ heading }) => heading.text)).toEqual(
          outlineOf(before.scan).map(({ heading }) => heading.text),
        );
        const fresh = now.blocks[index] as ToolBlock;
        expect(fresh.result).not.toBeNull();
        expect(fresh.result?.isEdited).toBe(false);
        if (fresh.problem === null) expect(fresh.state).toBe('fresh');
        expect(writeResult(now.scan, fresh, content)).toEqual({ kind: 'unchanged' });
        if (block.result === null) expect(applyEdits(after, removeResult(fresh))).toBe(text);
        text = after;
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 500) },
  );
});

function read(text: string) {
  const scanned = scan(text);
  return { scan: scanned, blocks: findToolBlocks(scanned, context) };
}

function withoutResult({ source, server, tool, id, section, problem, req }: ToolBlock) {
  return { source, server, tool, id, section, code: problem?.code, req };
}
