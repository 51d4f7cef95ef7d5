import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { OpenFolder } from './open-folder.ts';
import { systemProgram } from './processes/index.ts';

/**
 * Exchanges two files of a folder in one step: unlike a rename, it destroys nothing that another program put there this
 * moment. `unsupported` where neither the system nor its file system can; then nothing was done.
 */
export async function exchangeFiles(
  folder: Pick<OpenFolder, 'at'>,
  first: string,
  second: string,
): Promise<'exchanged' | 'missing' | 'unsupported'> {
  const call = process.platform === 'linux' ? renameat2[process.arch] : undefined;
  const perl = systemProgram('perl');
  if (call === undefined || !existsSync(perl)) return 'unsupported';
  // Node offers no renameat2 with RENAME_EXCHANGE (2); -100 stands for the current folder.
  const script = `my $r = syscall(${call}, -100, $ARGV[0], -100, $ARGV[1], 2); exit($r == 0 ? 0 : $! + 0)`;
  const code = await new Promise<number | null>((resolve) => {
    const options = { cwd: folder.at('.'), stdio: 'ignore', env: {} } as const;
    spawn(perl, ['-e', script, '--', first, second], options)
      .on('error', () => resolve(null))
      .on('close', resolve);
  });
  if (code === 0) return 'exchanged';
  return code === noEntry ? 'missing' : 'unsupported';
}

/** The number of the system call, by processor. */
const renameat2: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 316, arm64: 276 };

const noEntry = 2;
