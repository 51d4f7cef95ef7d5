// A server made with the kit, with one tool.
import { defineServer, defineTool, runServer } from '@errand/server-kit';
import * as z from 'zod';

await runServer(
  defineServer({
    name: 'bench',
    version: '1.0.0',
    tools: [
      defineTool({
        name: 'echo',
        description: 'Answers what it was given.',
        input: z.object({ text: z.string() }),
        output: z.object({ text: z.string() }),
        handler: ({ text }) => ({ text }),
      }),
    ],
  }),
);
