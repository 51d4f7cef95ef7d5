import { spawn } from 'node:child_process';

/** What a commit changes, path by path. */
export interface CommitFiles {
  readonly [path: string]: string | Uint8Array | { readonly renameFrom: string } | null;
}

export interface GitCommit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  readonly time: number;
  readonly message: string;
}

export interface GitChange {
  readonly status: 'A' | 'C' | 'D' | 'M' | 'R';
  readonly path: string;
  readonly oldPath?: string;
  readonly added: number;
  readonly removed: number;
}

export interface GitEntry {
  readonly type: 'blob' | 'tree' | 'commit';
  readonly path: string;
  readonly size: number;
}

/** Commands after which there may be other branches. */
const changing: ReadonlySet<string> = new Set(['fast-import', 'update-ref', 'pack-refs']);

/** A bare repository on the disk, used through Git itself. */
export class GitRepository {
  readonly folder: string;
  #last = 1_760_000_000;
  #branches: Promise<readonly { readonly name: string; readonly commit: string }[]> | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<GitRepository> {
    await runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
    return new GitRepository(folder);
  }

  static async fork(from: GitRepository, folder: string): Promise<GitRepository> {
    await runGit(['clone', '--quiet', '--bare', '--no-hardlinks', from.folder, folder]);
    return new GitRepository(folder);
  }

  async git(args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
    const settings = ['-c', 'core.quotePath=true', '-c', 'core.compression=0'];
    if (changing.has(args[0] ?? '')) this.#branches = undefined;
    return await runGit(['-C', this.folder, ...settings, ...args], input);
  }

  async text(args: readonly string[]): Promise<string> {
    return (await this.git(args)).toString();
  }

  /** Makes a commit at the end of a branch and gives its hash; a new branch begins at `from`. */
  async commit(
    branch: string,
    message: string,
    files: CommitFiles,
    { from = branch, author = 'Ada Lovelace' }: { from?: string; author?: string } = {},
  ): Promise<string> {
    this.#last += 60;
    const person = `${author} <${author.split(' ')[0]?.toLowerCase()}@example.org> ${this.#last} +0000`;
    const parent = await this.find(from);
    const parts: (string | Uint8Array)[] = [
      `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n`,
      data(message),
      parent === undefined ? '' : `from ${parent}\n`,
    ];
    for (const [path, content] of Object.entries(files)) {
      const name = JSON.stringify(path);
      if (content === null) parts.push(`D ${name}\n`);
      else if (typeof content === 'object' && 'renameFrom' in content) {
        parts.push(`R ${JSON.stringify(content.renameFrom)} ${name}\n`);
      } else parts.push(`M 100644 inline ${name}\n`, data(content));
    }
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    await this.git(['fast-import', '--quiet', '--force'], bytes);
    return await this.resolve(`refs/heads/${branch}`);
  }

  /** Makes many branches at once. */
  async createBranches(names: readonly string[], commit: string): Promise<void> {
    const lines = names.map((name) => `create refs/heads/${name} ${commit}\n`).join('');
    await this.git(['update-ref', '--stdin'], lines);
    await this.git(['pack-refs', '--all']);
  }

  branches(): Promise<readonly { readonly name: string; readonly commit: string }[]> {
    this.#branches ??= this.#readBranches();
    return this.#branches;
  }

  async #readBranches() {
    const format = '--format=%(objectname) %(refname)';
    const text = await this.text(['for-each-ref', format, 'refs/heads']);
    return lines(text).map((line) => ({
      commit: line.slice(0, 40),
      name: line.slice(41 + 'refs/heads/'.length),
    }));
  }

  async find(ref: string): Promise<string | undefined> {
    try {
      return await this.resolve(ref);
    } catch {
      return undefined;
    }
  }

  async resolve(ref: string): Promise<string> {
    return (
      await this.text(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])
    ).trim();
  }

  async log(args: readonly string[]): Promise<readonly GitCommit[]> {
    const format = '--format=%H%x1f%P%x1f%an%x1f%ae%x1f%at%x1f%B%x1e';
    const text = await this.text(['log', format, ...args]);
    return text
      .split('\x1e')
      .map((record) => record.replace(/^\n/, ''))
      .filter((record) => record !== '')
      .map((record) => {
        const [hash = '', parents = '', author = '', email = '', time = '0', message = ''] =
          record.split('\x1f');
        return {
          hash,
          parents: parents.split(' ').filter((each) => each !== ''),
          author,
          email,
          time: Number(time) * 1000,
          message: message.trimEnd(),
        };
      });
  }

  async changes(from: string, to: string): Promise<readonly GitChange[]> {
    const options = ['-z', '-M', from, to];
    const [statuses, counts] = await Promise.all([
      this.text(['diff', '--name-status', ...options]),
      this.text(['diff', '--numstat', ...options]),
    ]);
    const numbers = countsByPath(counts.split('\0'));
    const fields = statuses.split('\0').filter((each) => each !== '');
    const found: GitChange[] = [];
    for (let index = 0; index < fields.length; ) {
      const status = (fields[index] ?? 'M')[0] as GitChange['status'];
      const isMoved = status === 'R' || status === 'C';
      const first = fields[index + 1] ?? '';
      const path = isMoved ? (fields[index + 2] ?? '') : first;
      const [added, removed] = numbers.get(path) ?? [0, 0];
      found.push({ status, path, added, removed, ...(isMoved && { oldPath: first }) });
      index += isMoved ? 3 : 2;
    }
    return found;
  }

  async diff(from: string, to: string, path?: string): Promise<string> {
    const only = path === undefined ? [] : ['--', path];
    return await this.text(['diff', '-M', from, to, ...only]);
  }

  /** The commit that two have in common; the empty tree when there is none. */
  async mergeBase(a: string, b: string): Promise<string> {
    try {
      return (await this.text(['merge-base', a, b])).trim();
    } catch {
      return '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    }
  }

  async list(ref: string, path: string): Promise<readonly GitEntry[]> {
    const tree = path === '' ? ref : `${ref}:${path}`;
    const text = await this.text(['ls-tree', '-l', '-z', tree]);
    return text
      .split('\0')
      .filter((each) => each !== '')
      .map((line) => {
        const [facts = '', name = ''] = line.split('\t');
        const [, type = 'blob', , size = '0'] = facts.split(/\s+/);
        return { type: type as GitEntry['type'], path: name, size: Number(size) || 0 };
      });
  }

  /** What is at a path: nothing, a file or a folder. */
  async typeOf(ref: string, path: string): Promise<'blob' | 'tree' | undefined> {
    if (path === '') return 'tree';
    try {
      return (await this.text(['cat-file', '-t', `${ref}:${path}`])).trim() as 'blob';
    } catch {
      return undefined;
    }
  }

  async file(ref: string, path: string): Promise<Buffer> {
    return await this.git(['cat-file', 'blob', `${ref}:${path}`]);
  }

  async grep(ref: string, text: string) {
    try {
      const found = await this.text(['grep', '-n', '-I', '-F', '-e', text, ref, '--']);
      return lines(found).flatMap((line) => {
        const [, path = '', number = '0', rest = ''] = /^[^:]+:(.+?):(\d+):(.*)$/.exec(line) ?? [];
        return [{ path, line: Number(number), text: rest }];
      });
    } catch {
      return [];
    }
  }

  /** Merges a commit into a branch; nothing when they conflict. */
  async merge(branch: string, commit: string, message: string): Promise<string | undefined> {
    const into = await this.resolve(`refs/heads/${branch}`);
    let tree: string;
    try {
      tree = (await this.text(['merge-tree', '--write-tree', into, commit])).split('\n')[0] ?? '';
    } catch {
      return undefined;
    }
    const person = ['-c', 'user.name=Bitbucket', '-c', 'user.email=bitbucket@example.org'];
    const made = await this.text([
      ...person,
      'commit-tree',
      tree,
      '-p',
      into,
      '-p',
      commit,
      '-m',
      message,
    ]);
    await this.git(['update-ref', `refs/heads/${branch}`, made.trim(), into]);
    return made.trim();
  }
}

function countsByPath(fields: readonly string[]): Map<string, readonly [number, number]> {
  const counts = new Map<string, readonly [number, number]>();
  for (let index = 0; index < fields.length; ) {
    const [added = '', removed = '', path = ''] = (fields[index] ?? '').split('\t');
    const isMoved = path === '';
    const name = isMoved ? (fields[index + 2] ?? '') : path;
    if (added !== '') counts.set(name, [Number(added) || 0, Number(removed) || 0]);
    index += isMoved ? 3 : 1;
  }
  return counts;
}

function data(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function runGit(args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
    const out: Buffer[] = [];
    let errors = '';
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(out))
        : reject(new Error(`git ${args.slice(0, 6).join(' ')}: ${errors}`)),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
