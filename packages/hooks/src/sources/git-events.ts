import type { GitState, ReflogLine } from './git-repository.ts';

/** Something that happened in a repository. */
export interface GitHappening {
  /** `unknown` is a move of HEAD that only its commit can explain. */
  readonly event: 'commit' | 'checkout' | 'merge' | 'rebase' | 'push' | 'tag' | 'unknown';
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly previous?: string | undefined;
  readonly subject?: string | undefined;
  readonly amended?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly tag?: string;
  readonly remote?: string;
  /** The place of its line in the reflog of HEAD. */
  readonly at?: number;
}

/** What happened to HEAD, by the new lines of its reflog. */
export function headHappenings(
  lines: readonly ReflogLine[],
  after: GitState,
): readonly GitHappening[] {
  const found: GitHappening[] = [];
  // Lines do not name the branch, so it is followed back from the one that HEAD is on now.
  let { branch } = after;
  for (const line of lines.toReversed()) {
    const entry = parseLine(line.text);
    if (entry === undefined) continue;
    const meaning = meaningOf(entry.reason);
    branch = meaning?.onto ?? branch;
    if (meaning !== undefined && meaning.event !== 'nothing') {
      const { event, subject, amended, from, to } = meaning;
      found.push({
        event,
        branch,
        commit: entry.commit,
        previous: entry.previous,
        ...(subject !== undefined && { subject }),
        ...(amended && { amended }),
        ...(from !== undefined && to !== undefined && { from, to }),
        at: line.at,
      });
    }
    if (meaning?.from !== undefined) branch = isCommit(meaning.from) ? undefined : meaning.from;
  }
  return found.reverse();
}

/** What happened to HEAD in a repository that keeps no reflog. */
export function movedHead(before: GitState, after: GitState): readonly GitHappening[] {
  const { branch, commit } = after;
  const previous = before.commit;
  if (before.branch !== branch) {
    const from = before.branch ?? previous ?? '';
    return [{ event: 'checkout', branch, commit, previous, from, to: branch ?? commit ?? '' }];
  }
  if (commit === undefined || commit === previous) return [];
  return [{ event: 'unknown', branch, commit, previous }];
}

/** The tags that were made or moved. Which program made them, or that they were fetched, no file tells. */
export function newTags(before: GitState, after: GitState): readonly GitHappening[] {
  return changedRefs(before, after, 'refs/tags/').map(({ name, commit, previous }) => ({
    event: 'tag',
    tag: name,
    branch: after.branch,
    commit,
    previous,
  }));
}

/** The remote-tracking branches that were made or moved, by a push or a fetch. */
export function movedRemotes(before: GitState, after: GitState) {
  return changedRefs(before, after, 'refs/remotes/').filter(({ name }) => !name.endsWith('/HEAD'));
}

/** The pushes among the lines of the reflog of a remote-tracking branch that are newer than a commit. */
export function pushes(
  name: string,
  lines: readonly ReflogLine[],
  since: string | undefined,
): readonly GitHappening[] {
  const entries = lines.flatMap(({ text }) => parseLine(text) ?? []);
  const known = entries.findLastIndex(({ commit }) => commit === since);
  const slash = name.indexOf('/');
  return entries
    .slice(known + 1)
    .filter(({ reason }) => reason.startsWith('update by push'))
    .map(({ commit, previous }) => ({
      event: 'push',
      remote: name.slice(0, slash),
      branch: name.slice(slash + 1),
      commit,
      previous,
    }));
}

function changedRefs(before: GitState, after: GitState, prefix: string) {
  const changed: { name: string; commit: string; previous: string | undefined }[] = [];
  for (const [ref, commit] of after.refs) {
    const previous = before.refs.get(ref);
    if (ref.startsWith(prefix) && previous !== commit) {
      changed.push({ name: ref.slice(prefix.length), commit, previous });
    }
  }
  return changed;
}

interface ReflogEntry {
  readonly previous: string | undefined;
  readonly commit: string;
  readonly reason: string;
}

function parseLine(line: string): ReflogEntry | undefined {
  const [, previous = '', commit = '', reason = ''] =
    /^([\da-f]{40,64}) ([\da-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
  if (commit === '') return undefined;
  return { commit, reason, previous: /^0+$/.test(previous) ? undefined : previous };
}

interface Meaning {
  readonly event: GitHappening['event'] | 'nothing';
  readonly subject?: string | undefined;
  readonly amended?: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The branch that HEAD is on afterwards, where the reason says it. */
  readonly onto?: string | undefined;
}

/** What git, or a program that uses it, wrote as the reason for a move of HEAD. */
function meaningOf(reason: string): Meaning | undefined {
  const [, how, subject] =
    /^(commit(?: \([\w-]+\))?|cherry-pick|revert|am): (.*)$/.exec(reason) ?? [];
  if (how === 'commit (merge)') return { event: 'merge', subject };
  if (how !== undefined) return { event: 'commit', subject, amended: how === 'commit (amend)' };
  const [, from, to] = /^checkout: moving from (\S+) to (.+)$/.exec(reason) ?? [];
  if (from !== undefined) return { event: from === to ? 'nothing' : 'checkout', from, to };
  const [, onto] =
    /^(?:(?:rebase|pull)\b.*\(finish\)|rebase finished): returning to refs\/heads\/(.+)$/.exec(
      reason,
    ) ?? [];
  if (onto !== undefined) return { event: 'rebase', onto };
  if (/^(?:merge|pull)\b.*: (?:fast-forward|merge made|in-index)/i.test(reason))
    return { event: 'merge' };
  if (/^(?:rebase|reset|clone|branch|pull\b.*\([\w -]+\))/i.test(reason))
    return { event: 'nothing' };
  return { event: 'unknown' };
}

function isCommit(text: string): boolean {
  return /^[\da-f]{40,64}$/.test(text);
}
