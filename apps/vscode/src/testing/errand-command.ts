import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenEditor } from './open-editor.ts';

const errand = join(import.meta.dirname, '../../../cli/bin/errand.cjs');

/** Runs the command line on the vault of an editor, on the same machine and for the same person. */
export async function runErrand(
  { folder, server }: OpenEditor,
  ...args: readonly string[]
): Promise<string> {
  const run = promisify(execFile);
  const all = [errand, ...args, '--vault', folder];
  return (await run(process.execPath, all, { env: server.env })).stdout;
}

/** Which program owns the vault of an editor. */
export async function ownerOf(editor: OpenEditor): Promise<string | undefined> {
  const status = JSON.parse(await runErrand(editor, 'status', '--json')) as {
    readonly owner: { readonly program: string } | null;
  };
  return status.owner?.program;
}

/** Runs `errand up` on the vault of an editor until it is disposed. */
export function startErrandUp({ folder, server }: OpenEditor): Disposable {
  const up = spawn(process.execPath, [errand, 'up', '--vault', folder], {
    env: server.env,
    stdio: 'ignore',
  });
  return { [Symbol.dispose]: () => void up.kill('SIGTERM') };
}
