import { expect, test } from 'vitest';
import { fenceSchema } from './fence-schema.ts';

const fence = (text: string) => `[${text}]`;

test('fences descriptions at any depth, and keeps the validation keywords', () => {
  const schema = {
    type: 'object',
    description: 'a',
    properties: {
      description: { type: 'string', title: 'b', enum: ['title', 'x'] },
      title: { anyOf: [{ const: 'y', $comment: 'c' }], default: { description: 'd' } },
    },
    required: ['description'],
    $defs: { deep: { items: { description: 'e' } } },
  };
  expect(fenceSchema(schema, fence)).toEqual({
    type: 'object',
    description: '[a]',
    properties: {
      description: { type: 'string', title: '[b]', enum: ['title', 'x'] },
      title: { anyOf: [{ const: 'y', $comment: '[c]' }], default: { description: 'd' } },
    },
    required: ['description'],
    $defs: { deep: { items: { description: '[e]' } } },
  });
});

test('truncates a schema that is nested without end', () => {
  let schema: Record<string, unknown> = { description: 'bottom' };
  for (let depth = 0; depth < 100_000; depth += 1) schema = { items: schema };
  expect(JSON.stringify(fenceSchema(schema, fence))).not.toContain('bottom');
});
