import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { escapeControls } from '../display/escape-controls.ts';
import { plainValue } from '../params/source-value.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { callBlock } from './call-block.ts';

test('writes the parameters of a call so that nothing in them hides or acts, and reads them back unchanged', () => {
  const parameters = {
    text: 'a\u202eb <% x %>\nc',
    'key\u2066': '= this.x',
    list: ['$= x', '\u{E0041}'],
  };
  const content = { status: 'success', type: 'text', payload: 'ok' } as const;
  const block = callBlock({ server: 'vault', tool: '= x <%', parameters, content });
  expect(escapeControls(block)).toBe(block);
  expect(block).not.toContain('<%');
  const [read] = findToolBlocks(scan(block), contextOf(['vault']));
  expect(read).toMatchObject({ tool: '= x <%', state: 'fresh' });
  expect(read && plainValue(read.params)).toEqual(parameters);
});
