import type { Clock } from '@errand/host';
import { z } from 'zod';
import type { GitFolders, ReflogLine } from './git-repository.ts';
import type { SourcesPorts } from './sources-ports.ts';
import { openStateFile } from './state-file.ts';

/** What happened longer ago than this, in milliseconds, is not made up for after a crash. */
const longestGap = 60_000;

const schema = z.object({
  version: z.literal(1),
  /** The repository that is followed, and since when in milliseconds since 1970; none after an orderly end. */
  followed: z.object({ own: z.string(), since: z.number() }).exactOptional(),
});

/** Remembers which repository is followed, so that a program after a crash finds what the crash cut off. */
export interface GitCursor {
  /** The lines of the reflog from the last minute, when the program before this one did not end in order. */
  missed(folders: GitFolders, lines: readonly ReflogLine[]): readonly ReflogLine[];
  /** Remembers that a repository is followed from now on, or that none is. */
  follow(folders: GitFolders | undefined): Promise<void>;
}

/** Opens the cursor of a vault. */
export async function openGitCursor(
  ports: Pick<SourcesPorts, 'folder' | 'stateFolder'> & { readonly clock: Pick<Clock, 'now'> },
): Promise<GitCursor> {
  const file = await openStateFile(ports, 'git.json', schema);
  let left = (await file.read())?.followed;
  let followed = left?.own;
  return {
    missed({ own }, lines) {
      if (left === undefined || left.own !== own) return [];
      const from = Math.max(left.since, ports.clock.now() - longestGap);
      return lines.filter(({ text }) => timeOf(text) >= Math.floor(from / 1000));
    },
    async follow(folders) {
      if (folders?.own === undefined && followed === undefined) return;
      left = undefined;
      followed = folders?.own;
      const since = ports.clock.now();
      await file.write({ version: 1, ...(followed && { followed: { own: followed, since } }) });
    },
  };
}

/** When a line was written, in seconds since 1970. */
function timeOf(line: string): number {
  return Number(/> (\d+) [+-]\d{4}(?:\t|$)/.exec(line)?.[1] ?? 0);
}
