import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepository } from './git-repository.ts';

export interface WorldUser {
  /** The user name of Data Center; its slug differs where the name has signs such as @. */
  readonly name: string;
  readonly slug: string;
  readonly displayName: string;
  readonly email: string;
  readonly uuid: string;
}

export interface WorldComment {
  readonly id: number;
  readonly author: WorldUser;
  readonly created: number;
  readonly parent?: WorldComment | undefined;
  readonly anchor?:
    | {
        readonly path: string;
        readonly oldPath?: string | undefined;
        readonly line: number;
        readonly side: 'new' | 'old';
      }
    | undefined;
  readonly isTask: boolean;
  text: string;
  version: number;
  isResolved: boolean;
  isPending: boolean;
  isDeleted: boolean;
}

export interface WorldActivity {
  readonly id: number;
  readonly action: 'OPENED' | 'UPDATED' | 'MERGED' | 'DECLINED' | 'APPROVED' | 'COMMENTED';
  readonly user: WorldUser;
  readonly at: number;
  readonly comment?: WorldComment;
}

export interface WorldPullRequest {
  readonly id: number;
  readonly author: WorldUser;
  readonly from: { readonly repository: WorldRepository; readonly branch: string };
  readonly created: number;
  readonly comments: WorldComment[];
  readonly activities: WorldActivity[];
  target: string;
  title: string;
  description: string;
  state: 'OPEN' | 'MERGED' | 'DECLINED';
  isDraft: boolean;
  reviewers: { readonly user: WorldUser; status: 'APPROVED' | 'NEEDS_WORK' | 'UNAPPROVED' }[];
  updated: number;
  version: number;
  mergeCommit?: string;
}

export interface WorldBuild {
  readonly key: string;
  readonly name: string;
  readonly state: 'SUCCESSFUL' | 'FAILED' | 'INPROGRESS';
  readonly url: string;
}

export interface WorldPipeline {
  readonly uuid: string;
  readonly number: number;
  readonly branch: string;
  readonly commit: string;
  readonly created: number;
  readonly result: 'SUCCESSFUL' | 'FAILED' | undefined;
  readonly steps: readonly { readonly uuid: string; readonly name: string; readonly log: string }[];
}

export interface WorldRepository {
  readonly id: number;
  readonly owner: string;
  readonly slug: string;
  readonly git: GitRepository;
  readonly description: string;
  readonly forkOf?: WorldRepository | undefined;
  readonly pullRequests: WorldPullRequest[];
  readonly builds: Map<string, WorldBuild[]>;
  readonly pipelines: WorldPipeline[];
  readonly defaultReviewers: WorldUser[];
  readonly vetoes: string[];
  isArchived: boolean;
}

/** A refusal with the status that both editions give it. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The state of a Bitbucket, which both doubles show in their own ways. Code is in real Git repositories. */
export class World implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'errand-bitbucket-'));
  readonly users: WorldUser[] = [];
  readonly projects: { readonly key: string; readonly name: string }[] = [];
  readonly repositories: WorldRepository[] = [];
  #lastId = 100;

  constructor(names: readonly string[] = ['Ada Lovelace', 'Grace Hopper', 'Linus T']) {
    for (const displayName of names) {
      const slug = displayName.split(' ')[0]?.toLowerCase() ?? '';
      const email = `${slug}@example.org`;
      const name = slug === 'linus' ? email : slug;
      this.users.push({ name, slug, displayName, email, uuid: `{${randomUUID()}}` });
    }
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  user(slug: string): WorldUser {
    const found = this.users.find((user) => user.slug === slug || user.uuid === slug);
    if (found === undefined) throw new Refusal(404, `User ${slug} does not exist.`);
    return found;
  }

  userNamed(name: string): WorldUser {
    const found = this.users.find((user) => user.name === name);
    if (found === undefined) throw new Refusal(409, `${name} is not a user.`);
    return found;
  }

  async addRepository(
    owner: string,
    slug: string,
    forkOf?: WorldRepository,
  ): Promise<WorldRepository> {
    if (!this.projects.some(({ key }) => key === owner)) {
      this.projects.push({ key: owner, name: `Project ${owner}` });
    }
    const id = this.nextId();
    const folder = join(this.folder, `${id}.git`);
    const git = forkOf
      ? await GitRepository.fork(forkOf.git, folder)
      : await GitRepository.create(folder);
    const made: WorldRepository = {
      id,
      owner,
      slug,
      git,
      description: `Code of ${slug}`,
      forkOf,
      pullRequests: [],
      builds: new Map(),
      pipelines: [],
      defaultReviewers: [],
      vetoes: [],
      isArchived: false,
    };
    this.repositories.push(made);
    return made;
  }

  repository(owner: string, slug: string): WorldRepository {
    const found = this.repositories.find(
      (each) =>
        each.owner.toLowerCase() === owner.toLowerCase() &&
        each.slug.toLowerCase() === slug.toLowerCase(),
    );
    if (found === undefined) throw new Refusal(404, `Repository ${owner}/${slug} does not exist.`);
    return found;
  }

  pullRequest(repository: WorldRepository, id: number): WorldPullRequest {
    const found = repository.pullRequests.find((each) => each.id === id);
    if (found === undefined) throw new Refusal(404, `Pull request ${id} does not exist.`);
    return found;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
