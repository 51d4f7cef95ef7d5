import * as z from 'zod';
import { defineServer } from '../define-server.ts';
import { defineTool } from '../define-tool.ts';
import { runServer } from '../run-server.ts';
import { exampleTools } from './example-tools.ts';

/** A program with resources, habits and options of its own. */
await runServer(
  defineServer({
    name: 'fixture',
    version: '1.2.3',
    options: {
      greeting: { value: 'TEXT', description: 'What to say', env: 'GREETING', required: true },
      fail: { description: 'Fail at the start' },
    },
    tools: exampleTools,
    start({ options, log, signal }) {
      if (options.fail) throw new Error('The index could not be opened.');
      // What a careless server leaves behind.
      setInterval(() => {}, 1_000);
      signal.addEventListener('abort', () => log.info('the signal came'));
      return {
        tools: [
          defineTool({
            name: 'say',
            description: 'Says the greeting.',
            input: z.object({}),
            handler: () => options.greeting,
          }),
          defineTool({
            name: 'forget',
            description: 'Leaves a promise behind that fails.',
            input: z.object({}),
            handler() {
              void Promise.reject(new Error('nobody waits for this'));
              return 'done';
            },
          }),
          defineTool({
            name: 'chatter',
            description: 'Logs a lot.',
            input: z.object({}),
            handler(_, context) {
              for (let i = 0; i < 10_000; i += 1) context.log.info({ i }, 'x'.repeat(1_000));
              return 'done';
            },
          }),
        ],
        health: () => ({ details: { greeting: options.greeting } }),
        stop: () => log.info('the resources are closed'),
      };
    },
  }),
);
