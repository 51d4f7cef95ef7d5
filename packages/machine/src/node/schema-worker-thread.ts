import { parentPort } from 'node:worker_threads';
import type { Schema } from '@errand/host';
import { validateValue } from '@errand/host';
import type { CheckAnswer } from './schema-worker.ts';

parentPort?.on('message', ({ schema, value }: { schema: Schema; value: unknown }) => {
  parentPort?.postMessage(check(schema, value));
});

parentPort?.postMessage('ready' satisfies CheckAnswer);

function check(schema: Schema, value: unknown): CheckAnswer {
  try {
    return { problems: validateValue(schema, value) };
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}
