import { expect, test } from 'vitest';
import { applyEdits, findToolBlocks, plainValue, scan, typeParams, writeResult } from './index.ts';

const context = {
  servers: [{ id: '1', name: 'weather', enabled: true, sectionBindings: [] }],
  brokenBindings: [],
};

test('a result is written below its request, and written again it changes nothing', () => {
  const note = [
    '# Trip',
    '',
    '> - ```Weather timeout=60s',
    '>   tool: get_forecast',
    '>   city: London',
    '>   zip: 01234',
    '>   ```',
    '>   ^w1',
    '',
    'after',
  ].join('\n');
  const before = scan(note);
  const [block] = findToolBlocks(before, context);
  expect(block).toMatchObject({
    line: 3,
    server: 'weather',
    tool: 'get_forecast',
    id: 'w1',
    state: 'new',
  });
  if (block === undefined) return;
  expect(plainValue(block.params)).toEqual({ city: 'London', zip: 1234 });
  const schema = { type: 'object', properties: { zip: { type: 'string' } } };
  expect(typeParams(block.params, schema).values).toEqual({ city: 'London', zip: '01234' });

  const content = { status: 'success', type: 'text', payload: 'a\n\n```js\n```' } as const;
  const written = writeResult(before, block, content);
  expect(written.kind).toBe('edit');
  if (written.kind !== 'edit') return;
  const after = applyEdits(note, [written.edit]);
  expect(after.split('\n').slice(7)).toEqual([
    '>   ^w1',
    `>   \`\`\`\`mcp-result req=${block.req} sum=${/sum=(\w+)/.exec(after)?.[1]} type=text`,
    '>   a',
    '>',
    '>   ```js',
    '>   ```',
    '>   ````',
    '',
    'after',
  ]);
  const again = scan(after);
  const [fresh] = findToolBlocks(again, context);
  expect(fresh?.state).toBe('fresh');
  expect(fresh && writeResult(again, fresh, content)).toEqual({ kind: 'unchanged' });
});
