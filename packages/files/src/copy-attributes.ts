import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  await run(folder, 'cp', ['--attributes-only', '--preserve=mode,xattr', '--', from, to]);
}

/** Whether a file of a folder has extended attributes or an access control list; true where that cannot be found out. */
export async function hasAttributes(
  folder: Pick<OpenFolder, 'at'>,
  name: string,
): Promise<boolean> {
  const call = process.platform === 'linux' ? llistxattr[process.arch] : undefined;
  if (call === undefined || !existsSync(systemProgram('perl'))) return true;
  const script = `exit(syscall(${call}, $ARGV[0], 0, 0) == 0 ? ${none} : 0)`;
  return (await run(folder, 'perl', ['-e', script, '--', name])) !== none;
}

/** The number of the system call, by processor. */
const llistxattr: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 195, arm64: 12 };

/** The exit code for a file without attributes. */
const none = 9;

function run(
  folder: Pick<OpenFolder, 'at'>,
  program: 'cp' | 'perl',
  args: readonly string[],
): Promise<number | null> {
  return new Promise((resolve) => {
    const options = { cwd: folder.at('.'), stdio: 'ignore', env: {} } as const;
    spawn(systemProgram(program), args, options)
      .on('error', () => resolve(null))
      .on('close', resolve);
  });
}
