import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openProgramRunner } from '@errand/machine/node';
import { temporaryFolder } from '@errand/machine/testing';
import type { ActionContext } from '../hook-run.ts';
import { hookSchema } from '../hook-schema.ts';

/** What an action is given, to be varied. */
export function actionContext(change: Partial<ActionContext> = {}): ActionContext {
  return {
    hook: hookSchema.parse({
      id: 'hook-1',
      name: 'Test',
      trigger: { kind: 'manual' },
      actions: [{ type: 'custom', parameters: { command: 'true' } }],
    }),
    event: { id: 'event-1', kind: 'manual', at: 0, fields: {} },
    chain: { id: 'chain-1', depth: 1, hooks: ['hook-1'] },
    fields: {},
    signal: new AbortController().signal,
    ...change,
  };
}

/** An empty vault in a folder of its own, and programs that run in it. */
export async function actionVault() {
  const outside = await temporaryFolder();
  const folder = join(outside.path, 'vault');
  await mkdir(folder);
  return {
    folder,
    outside: outside.path,
    programs: openProgramRunner({ vaultFolder: folder, stateFolder: join(outside.path, 'state') }),
    [Symbol.asyncDispose]: () => outside[Symbol.asyncDispose](),
  };
}
