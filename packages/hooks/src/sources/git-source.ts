import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderWatch, isOnRemoteDisk, watchFolders } from '@errand/files';
import { catchFaults, HostError } from '@errand/host';
import type { EventSource, RunningSource, SourcePorts } from '../hook-event.ts';
import { coalesce } from './coalesce.ts';
import { noticedIn } from './file-changes.ts';
import { type GitCursor, openGitCursor } from './git-cursor.ts';
import {
  type GitHappening,
  headHappenings,
  movedHead,
  movedRemotes,
  newTags,
  pushes,
} from './git-events.ts';
import {
  findGitFolders,
  type GitFolders,
  type GitState,
  type ReflogPosition,
  readGitState,
  readReflog,
  refFolders,
} from './git-repository.ts';
import { type Commit, readCommit } from './read-commit.ts';
import type { SourcesPorts } from './sources-ports.ts';

/** One command of git writes several files: they are read when it has been quiet for this long, in milliseconds. */
const quiet = 100;
/** How often a repository is looked for that does not exist yet, or read that cannot be watched. */
const searchInterval = 5_000;
const changing = /^(?:HEAD$|packed-refs$|refs(?:\/|$)|logs(?:\/HEAD)?$|$)/;

type GitPorts = Pick<SourcesPorts, 'folder' | 'stateFolder' | 'clock' | 'chains'>;

/** Tells of commits, checkouts, merges, rebases, pushes and tags of the repository that a folder is in. */
export function gitSource(ports: GitPorts): EventSource {
  return {
    async start(sourcePorts) {
      const cursor = await openGitCursor(ports);
      const watched = new WatchedRepository({ ...ports, ...sourcePorts }, cursor);
      await watched.refreshed();
      return watched;
    },
  };
}

interface Repository extends Disposable {
  readonly folders: GitFolders;
  readonly watches: readonly FolderWatch[];
  state: GitState;
  position: ReflogPosition | undefined;
}

class WatchedRepository implements RunningSource {
  readonly refresh: () => void;
  readonly #ports: GitPorts & SourcePorts;
  readonly #cursor: GitCursor;
  readonly #reading;
  #repository: Repository | undefined;
  #timer: Disposable | undefined;
  /** When the first notice of a change came that has not been read yet, as monotonic time. */
  #since: number | undefined;
  #hasNoGit = false;
  #isClosed = false;

  constructor(ports: GitPorts & SourcePorts, cursor: GitCursor) {
    this.#ports = ports;
    this.#cursor = cursor;
    this.#reading = coalesce(() => this.#read(), ports.onFault);
    this.refresh = () => this.refreshed();
  }

  async refreshed(): Promise<void> {
    this.#reading.request();
    await this.#reading.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.refreshed();
  }

  get #isWanted(): boolean {
    return !this.#isClosed && this.#ports.wanted().some(({ trigger }) => trigger.kind === 'git');
  }

  async #read(): Promise<void> {
    const folders = this.#isWanted ? await findGitFolders(this.#ports.folder) : undefined;
    if (JSON.stringify(folders) !== JSON.stringify(this.#repository?.folders)) {
      this.#repository?.[Symbol.dispose]();
      this.#repository = undefined;
      if (folders !== undefined) this.#repository = await this.#open(folders);
      await this.#cursor.follow(folders);
    } else if (this.#repository !== undefined) await this.#compare(this.#repository);
    if (!this.#isWanted) return this.#stopTimer();
    const isWatched = this.#repository?.watches.every(({ problem }) => problem === undefined);
    if (!isWatched || isOnRemoteDisk(this.#ports.folder)) this.#readAfter(searchInterval);
  }

  async #open(folders: GitFolders): Promise<Repository> {
    const changed = catchFaults((path: string) => {
      if (!changing.test(path) || path.endsWith('.lock')) return;
      this.#since ??= this.#ports.clock.monotonic();
      this.#readAfter(quiet);
    }, this.#ports.onFault);
    const own = watchFolders(folders.own, { changed });
    const isShared = folders.own !== folders.common;
    const watches = isShared ? [own, watchFolders(folders.common, { changed })] : [own];
    await addFolders(folders, watches);
    const state = await readGitState(folders);
    if (state.branch === '.invalid') this.#ports.onFault(unreadable(folders));
    const reflog = await readReflog(join(folders.own, 'logs/HEAD'), undefined);
    const missed = this.#cursor.missed(folders, reflog?.lines ?? []);
    for (const happening of headHappenings(missed, state)) {
      await this.#tell(happening, folders, this.#ports.clock.monotonic());
    }
    return {
      folders,
      watches,
      state,
      position: reflog?.position,
      [Symbol.dispose]() {
        for (const watch of watches) watch[Symbol.dispose]();
      },
    };
  }

  #readAfter(wait: number): void {
    this.#timer ??= this.#ports.clock.after(wait, () => {
      this.#timer = undefined;
      this.#reading.request();
    });
  }

  #stopTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  async #compare(repository: Repository): Promise<void> {
    const { folders, watches, state: before, position } = repository;
    const since = this.#since ?? this.#ports.clock.monotonic();
    this.#since = undefined;
    await addFolders(folders, watches);
    const reflog = await readReflog(join(folders.own, 'logs/HEAD'), position);
    const after = await readGitState(folders);
    repository.state = after;
    repository.position = reflog?.position;
    const remotes = await Promise.all(
      movedRemotes(before, after).map(async ({ name, previous }) => {
        const log = await readReflog(join(folders.common, 'logs/refs/remotes', name), undefined);
        return made(pushes(name, log?.lines ?? [], previous), log?.changedAt);
      }),
    );
    const tags = newTags(before, after).map(async (tag) => {
      const file = await stat(join(folders.common, 'refs/tags', tag.tag ?? '')).catch(() => {});
      return made([tag], file?.ctimeMs);
    });
    const happenings = [
      ...made(
        reflog === undefined ? movedHead(before, after) : headHappenings(reflog.lines, after),
        reflog?.changedAt,
      ),
      ...(await Promise.all(tags)).flat(),
      ...remotes.flat(),
    ];
    for (const happening of happenings) await this.#tell(happening, folders, since);
  }

  async #tell(found: MadeHappening, folders: GitFolders, since: number): Promise<void> {
    const { at, changedAt, ...happening } = found;
    const { event, commit } = happening;
    const isMade = event === 'commit' || event === 'merge' || event === 'unknown';
    const read = isMade && commit !== undefined ? await this.#readCommit(commit) : undefined;
    const named = event === 'unknown' ? eventOf(read, happening.previous) : event;
    if (named === undefined) return;
    // A commit that already was there before a merge may have come from another chain.
    const isNew = named === 'commit' || (read?.parents.length ?? 0) > 1;
    const { chains, clock, emit, onFault } = this.#ports;
    const trailer = isNew ? read?.chain : undefined;
    const noticed = noticedIn(folders.own)({
      since,
      ...(changedAt !== undefined && { changedAt }),
    });
    const chain =
      (trailer === undefined ? undefined : chains.byId(trailer)) ?? chains.ofRepository(noticed);
    const place = JSON.stringify([folders.own, at, happening]);
    const fields = {
      git: {
        ...happening,
        event: named,
        ...(read && { subject: read.subject, message: read.message, author: read.author }),
      },
    };
    catchFaults(
      emit,
      onFault,
    )({
      id: `git:${at === undefined ? randomUUID() : createHash('sha256').update(place).digest('hex')}`,
      kind: 'git',
      at: clock.now(),
      fields,
      ...(chain && { chain }),
    });
  }

  async #readCommit(commit: string): Promise<Commit | undefined> {
    if (this.#hasNoGit) return undefined;
    return readCommit(this.#ports.folder, commit).catch((error: unknown) => {
      this.#hasNoGit = true;
      this.#ports.onFault(error);
      return undefined;
    });
  }
}

interface MadeHappening extends GitHappening {
  readonly changedAt?: number | undefined;
}

/** Happenings with the time at which the last of them was written. */
function made(
  happenings: readonly GitHappening[],
  changedAt: number | undefined,
): readonly MadeHappening[] {
  return happenings.map((happening) => ({ ...happening, changedAt }));
}

/** Git writes this branch into HEAD when the refs are in a format that older programs cannot read. */
function unreadable({ common }: GitFolders): HostError {
  const message = `The repository ${common} keeps its refs as a reftable, which is not read here: no event of git comes from it. Convert it to files with git.`;
  return new HostError('note_unreadable', message);
}

/** What a move of HEAD was for which no reason is written: one onto a child of where it was. */
function eventOf(commit: Commit | undefined, previous: string | undefined) {
  const { parents = [] } = commit ?? {};
  const isChild = previous === undefined ? parents.length === 0 : parents.includes(previous);
  if (commit === undefined || !isChild) return undefined;
  return parents.length > 1 ? 'merge' : 'commit';
}

async function addFolders(folders: GitFolders, watches: readonly FolderWatch[]): Promise<void> {
  const [own, common = own] = watches;
  for (const folder of ['', 'logs']) own?.add(folder);
  for (const folder of ['', ...(await refFolders(folders))]) common?.add(folder);
}
