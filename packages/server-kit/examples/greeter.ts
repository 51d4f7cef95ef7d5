import { defineServer, defineTool, McpError, runServer } from '@errand/server-kit';
import * as z from 'zod';

const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody by name.',
  input: z.object({ name: z.string().describe('Whom to greet') }),
  output: z.object({ greeting: z.string() }),
  annotations: { readOnlyHint: true },
  handler({ name }) {
    if (name === 'nobody') throw new McpError('not_found', 'There is nobody to greet.');
    return { greeting: `Hello, ${name}!` };
  },
});

await runServer(defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] }));
