import { isAbsolute, normalize, sep } from 'node:path';
import type { ActionContext, ActionOutcome, ActionRunner } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { carryOut, failed, refuse } from './action-error.ts';
import { type GitPorts, openGit } from './git-command.ts';
import { gitNameProblem } from './git-name-problem.ts';
import { type GitPlan, gitOperations } from './git-operations.ts';
import { openRenderer } from './renderer.ts';

/** Works in the repository that the vault is in. */
export function gitRunner(ports: GitPorts): ActionRunner<'git'> {
  return {
    run: (action, context) => runGit(action, context, ports),
    preview: async (action, context) => {
      const { plan, problems } = planGit(action, context);
      const outcome = await carryOut(context, { timeout: undefined }, async (signal) => {
        await ensureRepository(openGit(ports, context, signal));
        return { status: 'success' };
      });
      const { message } = outcome;
      return { resolved: { ...plan }, problems: [...problems, ...(message ? [message] : [])] };
    },
    // Done twice, these change nothing more.
    isRepeatable: ({ parameters: { operation } }) =>
      operation === 'push' || operation === 'pull' || operation === 'checkout-branch',
    mayWrite,
    leavesNothing: true,
  };
}

/** These touch only `.git`. */
const withoutFiles: ReadonlySet<string> = new Set(['push', 'create-branch', 'tag']);

/** A commit writes no file itself, but hooks of the repository format what is committed. */
function mayWrite({ parameters }: ActionOf<'git'>, path: string): boolean {
  const { operation, paths = [] } = parameters;
  if (withoutFiles.has(operation)) return false;
  const isLimited = (operation === 'commit' || operation === 'stash') && paths.length > 0;
  if (!isLimited || paths.some((written) => written.includes('{'))) return true;
  return paths.some((written) => {
    const folder = normalize(written).split(sep).join('/').replace(/\/$/, '');
    return folder === '.' || path === folder || path.startsWith(`${folder}/`);
  });
}

async function runGit(
  action: ActionOf<'git'>,
  context: ActionContext,
  ports: GitPorts,
): Promise<ActionOutcome> {
  const { timeout, operation } = action.parameters;
  const afterwards = 'Look at the repository before you try again.';
  return carryOut(context, { timeout, afterwards }, async (signal) => {
    const { plan, problems } = planGit(action, context);
    refuse(problems);
    const git = openGit(ports, context, signal);
    await ensureRepository(git);
    return gitOperations[operation](plan, git);
  });
}

async function ensureRepository({ query }: ReturnType<typeof openGit>): Promise<void> {
  if ((await query('rev-parse', '--is-inside-work-tree')) === 'true') return;
  const message =
    'The vault is in no git repository that git would use. Make one with "git init", or see what "git status" says there.';
  throw failed('no_repository', message);
}

function planGit(
  { parameters }: ActionOf<'git'>,
  { fields, chain }: ActionContext,
): { readonly plan: GitPlan; readonly problems: readonly string[] } {
  const { operation, messageTemplate, paths, pushToRemote = false } = parameters;
  const { problems, text } = openRenderer(fields);
  const named = (name: 'branch' | 'tag' | 'remote') => {
    const written = parameters[name];
    if (written === undefined) return {};
    const value = text(name, written);
    const problem = gitNameProblem(value);
    if (problem !== undefined) problems.push(`"${name}" ${problem}.`);
    return { [name]: value };
  };
  const plan: GitPlan = {
    operation,
    ...(messageTemplate !== undefined && { message: text('messageTemplate', messageTemplate) }),
    paths: (paths ?? ['.']).map((path, index) => text(`paths[${index}]`, path)),
    ...named('branch'),
    ...named('tag'),
    ...named('remote'),
    pushToRemote,
    trailer: `Errand-Hook-Chain: ${chain.id}`,
  };
  if (problems.length === 0) problems.push(...planProblems(plan));
  return { plan, problems };
}

const longestMessage = 500;

const needed: Readonly<Partial<Record<GitPlan['operation'], 'message' | 'branch' | 'tag'>>> = {
  commit: 'message',
  'create-branch': 'branch',
  'checkout-branch': 'branch',
  merge: 'branch',
  tag: 'tag',
};

function planProblems(plan: GitPlan): readonly string[] {
  const { operation, message, paths } = plan;
  const problems: string[] = [];
  const must = needed[operation];
  if (must !== undefined && !plan[must]?.trim()) {
    const name = must === 'message' ? 'messageTemplate' : must;
    problems.push(`Write "${name}": ${operation} needs it.`);
  }
  const { length } = message ?? '';
  if (length > longestMessage) {
    problems.push(
      `The message is ${length} characters long; at most ${longestMessage} are allowed.`,
    );
  }
  for (const path of paths) {
    const way = normalize(path);
    if (path === '' || isAbsolute(path) || way === '..' || way.startsWith(`..${sep}`)) {
      problems.push(`"paths" may name only what is in the vault, relative to it.`);
      break;
    }
  }
  return problems;
}
