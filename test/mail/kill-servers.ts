import { execFileSync } from 'node:child_process';

/** Who is killed while mails come and go. */
export const prey = ['mailroom', 'servers', 'both'] as const;
export type Prey = (typeof prey)[number];

/** The processes of the servers that this program has started, or of the one with this name. */
export function serverPids(name = ''): readonly number[] {
  const table = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const isServer = new RegExp(`servers/${name || '\\w+'}/src/main\\.ts`).test(command);
    return isServer && Number(parent) === process.pid ? [Number(pid)] : [];
  });
}
