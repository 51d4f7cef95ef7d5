import { defineServer, defineTool, McpError, runServer } from '@errand/server-kit';
import * as z from 'zod';

await runServer(
  defineServer({
    name: 'greeter',
    version: '1.0.0',
    options: {
      word: { value: 'WORD', description: 'How to greet (default Hello)', env: 'GREETER_WORD' },
    },
    start({ options, log }) {
      let greeted = 0;
      const greet = defineTool({
        name: 'greet',
        description: 'Greets somebody by name.',
        input: z.object({ name: z.string().describe('Whom to greet') }),
        output: z.object({ greeting: z.string() }),
        annotations: { readOnlyHint: true },
        handler({ name }) {
          if (name === 'nobody') throw new McpError('not_found', 'There is nobody to greet.');
          greeted += 1;
          return { greeting: `${options.word ?? 'Hello'}, ${name}!` };
        },
      });
      return {
        tools: [greet],
        health: () => ({ details: { greeted } }),
        stop: () => log.info({ greeted }, 'good bye'),
      };
    },
  }),
);
