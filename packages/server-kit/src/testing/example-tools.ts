import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { defineServer } from '../define-server.ts';
import { defineTool } from '../define-tool.ts';
import { McpError } from '../mcp-error.ts';

/** Tools that behave well and badly, each in its own way. */
export const exampleTools = [
  defineTool({
    name: 'echo',
    description: 'Answers what it was given.',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string(), session: z.string() }),
    annotations: { readOnlyHint: true },
    handler: ({ text }, { session }) => ({ text, session: session.sessionId }),
  }),
  defineTool({
    name: 'count',
    description: 'Reports progress up to a number.',
    input: z.object({ to: z.int() }),
    async handler({ to }, { progress, signal }) {
      for (let done = 1; done <= to; done += 1) {
        progress(done, to, `step ${done}`);
        await delay(5, undefined, { signal });
      }
      return { counted: to };
    },
  }),
  defineTool({
    name: 'refuse',
    description: 'Fails on purpose.',
    input: z.object({}),
    handler() {
      throw new McpError('not_found', 'There is no such thing.', { thing: 'x' });
    },
  }),
  defineTool({
    name: 'explode',
    description: 'Fails by mistake.',
    input: z.object({}),
    handler() {
      throw new Error('a secret from the inside');
    },
  }),
  defineTool({
    name: 'hang',
    description: 'Never answers and ignores its signal.',
    input: z.object({}),
    handler: () => new Promise(() => {}),
  }),
  defineTool({
    name: 'flood',
    description: 'Answers with as much as it is asked for.',
    input: z.object({ bytes: z.int() }),
    handler: ({ bytes }) => ({ text: 'x'.repeat(bytes) }),
  }),
  defineTool({
    name: 'lie',
    description: 'Answers with something else than it promises.',
    input: z.object({}),
    output: z.object({ count: z.number() }),
    // The types would not let it through; a handler that casts does.
    handler: () => ({ count: 'many' }) as unknown as { count: number },
  }),
];

export const exampleServer = defineServer({
  name: 'example',
  version: '1.2.3',
  tools: exampleTools,
});
