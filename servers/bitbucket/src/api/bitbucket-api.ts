import type {
  Branch,
  Build,
  Change,
  Comment,
  Commit,
  Entry,
  Hit,
  Pipeline,
  PipelineStep,
  Project,
  PullRequest,
  Repository,
  Task,
  Thread,
  User,
} from './model.ts';

export type Edition = 'cloud' | 'data-center';

/** A repository: `owner` is a project or `~user` of Data Center, or a workspace of Cloud. */
export interface RepositoryName {
  readonly owner: string;
  readonly slug: string;
}

/** A pull request of a repository. */
export interface PullRequestName extends RepositoryName {
  readonly id: number;
}

/** Which part of a list is wanted. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** What an installation is, found out by asking it. */
export interface ServerFacts {
  readonly edition: Edition;
  /** Of Data Center. */
  readonly version?: string | undefined;
  /** Who the credentials belong to; tokens of repositories and projects belong to nobody. */
  readonly user?: User | undefined;
}

export interface Repositories {
  listProjects(
    query: { readonly name?: string | undefined; readonly workspace?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Project>>;
  listRepositories(
    query: { readonly project?: string | undefined; readonly name?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Repository>>;
  getRepository(name: RepositoryName, signal: AbortSignal): Promise<Repository>;
  listBranches(
    name: RepositoryName,
    query: { readonly filter?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Branch>>;
  createBranch(
    name: RepositoryName,
    branch: { readonly name: string; readonly from: string },
    signal: AbortSignal,
  ): Promise<Branch>;
  /** A branch by its name; nothing when there is none. */
  findBranch(
    name: RepositoryName,
    branch: string,
    signal: AbortSignal,
  ): Promise<Branch | undefined>;
}

/** Two commits, branches or tags: what `to` has and `from` has not. */
export interface Comparison {
  readonly from: string;
  readonly to: string;
}

export interface Source {
  listCommits(
    name: RepositoryName,
    query: { readonly at?: string | undefined; readonly path?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Commit>>;
  getCommit(name: RepositoryName, id: string, signal: AbortSignal): Promise<Commit>;
  listCommitChanges(name: RepositoryName, id: string, page: PageRequest): Promise<Page<Change>>;
  getFile(
    name: RepositoryName,
    file: { readonly path: string; readonly at?: string | undefined },
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  listDirectory(
    name: RepositoryName,
    folder: { readonly path: string; readonly at?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Entry>>;
  searchCode(
    query: {
      readonly text: string;
      readonly owner: string | undefined;
      readonly repository: RepositoryName | undefined;
    },
    page: PageRequest,
  ): Promise<Page<Hit>>;
  compareCommits(
    name: RepositoryName,
    comparison: Comparison,
    page: PageRequest,
  ): Promise<Page<Commit>>;
  compareChanges(
    name: RepositoryName,
    comparison: Comparison,
    page: PageRequest,
  ): Promise<Page<Change>>;
  compareDiff(
    name: RepositoryName,
    comparison: Comparison & { readonly path?: string | undefined },
    signal: AbortSignal,
  ): Promise<string>;
}

export type StateFilter = 'open' | 'merged' | 'declined' | 'all';

export interface PullRequestQuery {
  readonly state: StateFilter;
  readonly author?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly target?: string | undefined;
}

export interface NewPullRequest {
  readonly title: string;
  readonly description?: string | undefined;
  readonly source: string;
  readonly sourceRepository?: RepositoryName | undefined;
  readonly target: string;
  readonly reviewers: readonly string[];
  readonly addDefaultReviewers: boolean;
  readonly draft?: boolean | undefined;
}

export interface PullRequestChange {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly target?: string | undefined;
  readonly reviewers?: readonly string[] | undefined;
  readonly draft?: boolean | undefined;
}

export type MergeStrategy =
  | 'merge_commit'
  | 'squash'
  | 'fast_forward'
  | 'squash_fast_forward'
  | 'rebase_merge'
  | 'rebase_fast_forward';

export interface Merge {
  /** What the pull request must look like; anything when it is absent. */
  readonly version: string;
  readonly strategy?: MergeStrategy | undefined;
  readonly message?: string | undefined;
  readonly closeSourceBranch?: boolean | undefined;
}

/** Who changed a pull request last, and how. */
export interface LastChange {
  readonly by: string;
  readonly at: string;
  readonly action: string;
}

export type Review = 'approve' | 'needs_work' | 'withdraw';

/** Changes are sent once: whoever asks for them knows what a lost answer means. */
export interface PullRequests {
  list(
    name: RepositoryName,
    query: PullRequestQuery,
    page: PageRequest,
  ): Promise<Page<PullRequest>>;
  get(name: PullRequestName, signal: AbortSignal): Promise<PullRequest>;
  diff(
    name: PullRequestName,
    query: { readonly path?: string | undefined },
    signal: AbortSignal,
  ): Promise<string>;
  listChanges(name: PullRequestName, page: PageRequest): Promise<Page<Change>>;
  lastChange(name: PullRequestName, signal: AbortSignal): Promise<LastChange | undefined>;
  create(name: RepositoryName, request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>;
  update(
    current: PullRequest,
    name: PullRequestName,
    change: PullRequestChange,
    signal: AbortSignal,
  ): Promise<PullRequest>;
  review(name: PullRequestName, review: Review, signal: AbortSignal): Promise<void>;
  /** Why it cannot be merged, in the words of the service. */
  vetoes(name: PullRequestName, signal: AbortSignal): Promise<readonly string[]>;
  merge(name: PullRequestName, merge: Merge, signal: AbortSignal): Promise<void>;
  decline(name: PullRequestName, version: string, signal: AbortSignal): Promise<void>;
  /** Those that wait for this person: to review, and their own. */
  listInbox(
    role: 'author' | 'reviewer',
    workspace: string | undefined,
    page: PageRequest,
  ): Promise<Page<PullRequest>>;
}

export interface NewComment {
  readonly text: string;
  readonly inline?:
    | {
        readonly path: string;
        readonly oldPath?: string | undefined;
        readonly line: number;
        readonly side: 'new' | 'old';
      }
    | undefined;
  readonly parent?: number | undefined;
  readonly pending?: boolean | undefined;
}

export interface Comments {
  list(name: PullRequestName, page: PageRequest): Promise<Page<Thread>>;
  get(name: PullRequestName, id: number, signal: AbortSignal): Promise<Thread>;
  add(name: PullRequestName, comment: NewComment, signal: AbortSignal): Promise<Thread>;
  update(
    name: PullRequestName,
    current: Comment,
    text: string,
    signal: AbortSignal,
  ): Promise<Thread>;
  resolve(
    name: PullRequestName,
    current: Comment,
    resolved: boolean,
    signal: AbortSignal,
  ): Promise<void>;
  remove(name: PullRequestName, current: Comment, signal: AbortSignal): Promise<void>;
}

export interface Tasks {
  list(name: PullRequestName, page: PageRequest): Promise<Page<Task>>;
  get(name: PullRequestName, id: number, signal: AbortSignal): Promise<Task>;
  add(
    name: PullRequestName,
    task: { readonly text: string; readonly comment?: number | undefined },
    signal: AbortSignal,
  ): Promise<Task>;
  update(
    name: PullRequestName,
    current: Task,
    change: {
      readonly text?: string | undefined;
      readonly state?: 'open' | 'resolved' | undefined;
    },
    signal: AbortSignal,
  ): Promise<Task>;
}

export interface Builds {
  list(name: RepositoryName, commit: string, page: PageRequest): Promise<Page<Build>>;
}

export interface Pipelines {
  list(name: RepositoryName, page: PageRequest): Promise<Page<Pipeline>>;
  get(name: RepositoryName, id: string, signal: AbortSignal): Promise<Pipeline>;
  listSteps(name: RepositoryName, id: string, page: PageRequest): Promise<Page<PipelineStep>>;
  /** The whole log of a step, or its end when it is very long. */
  log(name: RepositoryName, id: string, step: string, signal: AbortSignal): Promise<string>;
  run(
    name: RepositoryName,
    target: {
      readonly branch: string;
      readonly pipeline?: string | undefined;
      readonly variables: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): Promise<Pipeline>;
}

/** Everything the tools ask of Bitbucket, the same for both editions. Failures are `ServiceError`s. */
export interface BitbucketApi {
  readonly edition: Edition;
  probe(signal: AbortSignal): Promise<ServerFacts>;
  /** Who the credentials belong to; fails when that is nobody. */
  me(signal: AbortSignal): Promise<User>;
  readonly repositories: Repositories;
  readonly source: Source;
  readonly pullRequests: PullRequests;
  readonly comments: Comments;
  readonly tasks: Tasks;
  readonly builds: Builds;
  /** Cloud alone has pipelines. */
  readonly pipelines?: Pipelines;
}
