import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A commit, as hooks read it. */
export interface Commit {
  readonly parents: readonly string[];
  readonly author: string;
  readonly subject: string;
  readonly message: string;
  readonly chain: string | undefined;
}

/** Reads a commit; undefined when there is none. Rejects when there is no git. */
export async function readCommit(folder: string, commit: string): Promise<Commit | undefined> {
  try {
    const { stdout } = await run('git', ['cat-file', 'commit', commit], {
      cwd: folder,
      env: { ...process.env, ...harmless },
      maxBuffer: 1024 * 1024,
      timeout: 10_000,
      windowsHide: true,
    });
    return parseCommit(stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    return undefined;
  }
}

const run = promisify(execFile);

/** A missing object must not be fetched: the configuration of a repository says by which program. */
const harmless = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

function parseCommit(text: string): Commit {
  const end = text.indexOf('\n\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 2)];
  return {
    parents: [...head.matchAll(/^parent ([\da-f]+)$/gm)].map(([, parent = '']) => parent),
    author: /^author (.*?) ?</m.exec(head)?.[1] ?? '',
    subject: body.split('\n', 1)[0] ?? '',
    message: body.trimEnd(),
    chain: /^Errand-Hook-Chain: (\S+)\s*$/im.exec(body)?.[1],
  };
}
