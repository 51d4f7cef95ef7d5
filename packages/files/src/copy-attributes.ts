import { spawn } from 'node:child_process';
import type { OpenFolder } from './open-folder.ts';
import { systemProgram } from './processes/index.ts';

/**
 * Gives a file of a folder the extended attributes and access control list of another one, on Linux, as far as its file
 * system has them. Node cannot read them, so the system's `cp` is asked.
 */
export async function copyAttributes(
  folder: Pick<OpenFolder, 'at'>,
  from: string,
  to: string,
): Promise<void> {
  if (process.platform !== 'linux') return;
  await new Promise<void>((resolve) => {
    const args = ['--attributes-only', '--preserve=mode,xattr', '--', from, to];
    const options = { cwd: folder.at('.'), stdio: 'ignore', env: {} } as const;
    spawn(systemProgram('cp'), args, options)
      .on('error', () => resolve())
      .on('close', () => resolve());
  });
}
