import type { ActionOutcome } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { ActionError, failed } from './action-error.ts';
import { type Git, GitFailure } from './git-command.ts';

/** What is to be done in a repository; names and paths have been checked. */
export interface GitPlan {
  readonly operation: ActionOf<'git'>['parameters']['operation'];
  readonly message?: string;
  readonly paths: readonly string[];
  readonly branch?: string;
  readonly tag?: string;
  readonly remote?: string;
  readonly pushToRemote: boolean;
  /** The last line of the message of every commit that is made. */
  readonly trailer: string;
}

type Operation = (plan: GitPlan, git: Git) => Promise<ActionOutcome>;

/** Everything that a hook can do with git. None discards changes, forces a push, or leaves conflicts in notes. */
export const gitOperations: Readonly<Record<GitPlan['operation'], Operation>> = {
  commit: async ({ message = '', paths, pushToRemote, remote, trailer }, git) => {
    if (!(await hasChanges(paths, git, 'normal'))) return nothing('There is nothing to commit.');
    await git.run('add', '--all', '--', ...paths);
    // Only these paths: what a person staged elsewhere stays staged.
    await git.run(
      'commit',
      '--quiet',
      `--message=${message}`,
      '--trailer',
      trailer,
      '--',
      ...paths,
    );
    const output = { commit: await head(git), ...(await branchFact(git)) };
    if (!pushToRemote) return { status: 'success', output };
    return pushed({ remote }, git, output, `Commit ${output.commit.slice(0, 10)} was made`);
  },
  push: async ({ remote, branch }, git) => {
    const output = await push({ remote, ...(branch !== undefined && { branch }) }, git);
    return { status: 'success', output };
  },
  pull: async (plan, git) => {
    const branch = await currentBranch(git);
    const { remote, ref } = await upstream(plan.remote, branch, git);
    const source = plan.branch === undefined ? ref : `refs/heads/${plan.branch}`;
    await overNetwork(() => git.run('fetch', '--quiet', '--', remote, source));
    try {
      await git.run('merge', '--quiet', '--ff-only', '--', 'FETCH_HEAD');
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const advice =
        'Only a fast-forward is made here, so that no note gets conflict marks. Pull by hand.';
      throw failed('git_failed', `${error.message}\n${advice}`, error.outcome);
    }
    return { status: 'success', output: { remote, branch, commit: await head(git) } };
  },
  'create-branch': async ({ branch = '' }, git) => {
    await git.run('branch', '--', branch);
    return { status: 'success', output: { branch } };
  },
  'checkout-branch': async ({ branch = '' }, git) => {
    await git.run('switch', '--quiet', '--', branch);
    return { status: 'success', output: { branch, commit: await head(git) } };
  },
  merge: async ({ branch = '', message = `Merge branch '${branch}'`, trailer }, git) => {
    const ref = await resolveBranch(branch, git);
    await refuseConflicts(branch, ref, git);
    try {
      await git.run('merge', '--quiet', '-m', `${message}\n\n${trailer}`, '--', ref);
    } catch (error) {
      const isMerging =
        (await git.query('rev-parse', '-q', '--verify', 'MERGE_HEAD')) !== undefined;
      if (isMerging) await git.run('merge', '--abort');
      throw error;
    }
    return { status: 'success', output: { branch, commit: await head(git) } };
  },
  tag: async ({ tag = '', message, pushToRemote, remote, trailer }, git) => {
    const annotation = message ? ['--annotate', `--message=${message}\n\n${trailer}`] : [];
    await git.run('tag', ...annotation, '--', tag);
    const output = { tag, commit: await head(git) };
    if (!pushToRemote) return { status: 'success', output };
    return pushed({ remote, tag }, git, output, `Tag ${tag} was made`);
  },
  stash: async ({ message, paths }, git) => {
    if (!(await hasChanges(paths, git, 'no'))) return nothing('There is nothing to stash.');
    const label = message ? [`--message=${message}`] : [];
    await git.run('stash', 'push', '--quiet', ...label, '--', ...paths);
    return { status: 'success', output: { stash: await git.run('rev-parse', 'refs/stash') } };
  },
};

function nothing(message: string): ActionOutcome {
  return { status: 'skipped', code: 'nothing_to_do', message };
}

async function hasChanges(paths: readonly string[], git: Git, untracked: string): Promise<boolean> {
  const options = [`--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  return (await git.run('status', '--porcelain', ...options, '--', ...paths)) !== '';
}

function head(git: Git): Promise<string> {
  return git.run('rev-parse', 'HEAD');
}

async function branchFact(git: Git) {
  const branch = await git.query('symbolic-ref', '--quiet', '--short', 'HEAD');
  return branch === undefined ? {} : { branch };
}

async function currentBranch(git: Git): Promise<string> {
  const { branch } = await branchFact(git);
  if (branch !== undefined) return branch;
  throw failed('no_branch', 'No branch is checked out. Check one out, or write "branch".');
}

/** Where a branch is pushed to and pulled from. */
async function upstream(given: string | undefined, branch: string, git: Git) {
  const configured = await git.query('config', '--get', `branch.${branch}.remote`);
  const remotes = (await git.run('remote')).split('\n').filter((name) => name !== '');
  const usual = remotes.length === 1 ? remotes[0] : 'origin';
  const remote = given ?? configured ?? usual ?? 'origin';
  // An address in place of a name could start a program.
  if (!remotes.includes(remote)) {
    const known = remotes.length === 0 ? 'It has none.' : `It has ${remotes.join(', ')}.`;
    throw failed(
      'no_remote',
      `The repository has no remote "${remote}". ${known} Add one with "git remote add".`,
    );
  }
  const merged =
    remote === configured && (await git.query('config', '--get', `branch.${branch}.merge`));
  return { remote, ref: merged || `refs/heads/${branch}` };
}

interface PushTarget {
  readonly remote?: string | undefined;
  readonly branch?: string;
  readonly tag?: string;
}

async function push(
  { branch: given, remote: wanted, tag }: PushTarget,
  git: Git,
): Promise<{ readonly remote: string; readonly branch?: string; readonly tag?: string }> {
  const branch = given ?? (tag === undefined ? await currentBranch(git) : '');
  const { remote, ref } = await upstream(wanted, branch, git);
  const refspec = tag === undefined ? `refs/heads/${branch}:${ref}` : `refs/tags/${tag}`;
  await overNetwork(() => git.run('push', '--quiet', '--', remote, refspec));
  return { remote, ...(tag === undefined ? { branch } : { tag }) };
}

/** Pushes what was made just before; if that fails, it stays made, and nothing may make it again. */
async function pushed(
  target: PushTarget,
  git: Git,
  output: Readonly<Record<string, unknown>>,
  made: string,
): Promise<ActionOutcome> {
  try {
    const { remote } = await push(target, git);
    return { status: 'success', output: { ...output, pushedTo: remote } };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    const { code = 'git_failed', message } = error.outcome;
    throw failed(code, `${made}, but not pushed. ${message}`, { output });
  }
}

/** Failures to reach a remote pass; doing the same again changes nothing more. */
async function overNetwork(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const { exitCode, message } = error;
    // The exit code of a push that the remote refused; what could not be reached is 128.
    const isRefused = exitCode === 1;
    const advice = isRefused
      ? 'If the remote has commits that are missing here, pull first.'
      : 'Nobody is asked for a password here: the remote needs an SSH key or a credential helper.';
    throw new GitFailure(exitCode, `${message}\n${advice}`, !isRefused);
  }
}

async function resolveBranch(branch: string, git: Git): Promise<string> {
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/${branch}`]) {
    if ((await git.query('rev-parse', '--quiet', '--verify', ref)) !== undefined) return ref;
  }
  throw failed('no_branch', `There is no branch "${branch}". Create it, or correct "branch".`);
}

/** Conflicts are found before anything is written; an older git goes on, and takes the merge back. */
async function refuseConflicts(branch: string, ref: string, git: Git): Promise<void> {
  const ours = await git.query('rev-parse', '--quiet', '--verify', 'HEAD');
  if (ours === undefined) return;
  try {
    await git.run('merge-tree', '--write-tree', '--name-only', '--no-messages', ours, ref);
  } catch (error) {
    if (!(error instanceof GitFailure) || error.exitCode !== 1) return;
    const message = `Branch "${branch}" changes the same lines as this one, so nothing was merged. Merge it by hand.`;
    throw failed('merge_conflict', message);
  }
}
