import {
  expandReferences,
  HostError,
  mapTexts,
  type ReferenceSources,
  webAddress,
} from '@errand/host';
import { isRecord } from '@errand/wire';
import type { ActionContext, ActionOutcome, ActionRunner } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { ActionError, carryOut, failed, refuse } from './action-error.ts';
import { type GitHubAnswer, githubFailure, maybeDone } from './github-failure.ts';
import { type GitHubCall, githubCall } from './github-operations.ts';
import { openRenderer, type Renderer } from './renderer.ts';

export interface GitHubPorts {
  readonly references: ReferenceSources;
  /** How requests are made; by the global `fetch` if not given. */
  readonly fetch?: typeof fetch;
}

/** Asks GitHub, or an Enterprise server, to do something; never twice. */
export function githubRunner(ports: GitHubPorts): ActionRunner<'github'> {
  return {
    run: (action, context) => askGitHub(action, context, ports),
    preview: async (action, context) => {
      const { plan, problems } = planRequest(action, context);
      const { call, repository, url } = plan;
      const missing = await expandToken(plan, context, ports).then(
        () => [],
        (error: unknown) => (error instanceof HostError ? [error.message] : Promise.reject(error)),
      );
      return {
        resolved: { repository, url, route: call?.route, ...call?.parameters },
        problems: [...problems, ...missing],
      };
    },
    // A comment made twice is there twice, and a request that got no answer may have been carried out.
    isRepeatable: () => false,
    // Nothing of GitHub is in the vault: what changes there meanwhile has another cause.
    mayWrite: () => false,
    mayChangeRepository: () => false,
  };
}

async function askGitHub(
  action: ActionOf<'github'>,
  context: ActionContext,
  ports: GitHubPorts,
): Promise<ActionOutcome> {
  const { timeout } = action.parameters;
  return carryOut(context, { timeout, afterwards: maybeDone }, async (signal) => {
    const { plan, problems } = planRequest(action, context);
    refuse(problems);
    const { value: token, redact } = await expandToken(plan, context, ports);
    const answer = await send(plan, token, signal, ports).catch((error: unknown) => {
      signal.throwIfAborted();
      return explain(error, redact);
    });
    if (answer instanceof ActionError) throw answer;
    const { status } = answer;
    // A server may repeat what it was sent.
    const data = mapTexts(answer.data, redact);
    if (status < 200 || status >= 300) throw githubFailure({ ...answer, data }, plan);
    return { status: 'success', output: outputOf(data) };
  });
}

interface RequestPlan {
  readonly repository: string;
  readonly url: string;
  /** As it is written. */
  readonly token: string;
  readonly call?: GitHubCall;
}

function planRequest(
  { parameters }: ActionOf<'github'>,
  { fields }: ActionContext,
): { readonly plan: RequestPlan; readonly problems: readonly string[] } {
  const {
    operation,
    repository: written,
    token,
    url = 'https://api.github.com',
    timeout: _,
    ...rest
  } = parameters;
  const renderer = openRenderer(fields);
  const { problems, text } = renderer;
  const { repoOwner, repoName } = fields;
  const own = repoOwner && repoName ? `${repoOwner}/${repoName}` : '';
  const repository = written === undefined ? own : text('repository', written);
  const rendered = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, renderDeep(name, value, renderer)]),
  );
  if (problems.length === 0 && !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    problems.push('"repository": Write "owner/name".');
  }
  // Neither is a template: an event must not decide who gets the token.
  if (webAddress(url) === undefined) {
    problems.push('"url": Write an address that begins with https://, or http:// on this machine.');
  }
  if (!/\$\{(?:secret|env):[^{}]+\}/.test(token)) {
    problems.push(`"token": Keep it as a secret, and write its name: "$\{secret:github}".`);
  }
  const found = problems.length === 0 ? githubCall(operation, rendered) : undefined;
  if (found !== undefined && 'problems' in found) problems.push(...found.problems);
  const call = found !== undefined && 'call' in found ? { call: found.call } : {};
  return { plan: { repository, url, token, ...call }, problems };
}

function renderDeep(name: string, value: unknown, renderer: Renderer): unknown {
  if (typeof value === 'string') return renderer.value(name, value) ?? undefined;
  if (!Array.isArray(value)) return value;
  return value.map((item, index) => renderDeep(`${name}[${index}]`, item, renderer));
}

function expandToken(
  { token }: RequestPlan,
  { hook: { id, name } }: ActionContext,
  { references }: GitHubPorts,
) {
  return expandReferences(token, `Hook "${name}"`, references, { hook: { id, name } });
}

async function send(
  { call, url, repository }: RequestPlan,
  token: string,
  signal: AbortSignal,
  { fetch: ask }: GitHubPorts,
): Promise<GitHubAnswer> {
  if (call === undefined) throw new Error('unreachable: a plan without problems has a call');
  // Loaded when the first hook needs it.
  const { request } = await import('@octokit/request');
  const [owner, repo] = repository.split('/');
  return request(call.route, {
    ...call.parameters,
    owner,
    repo,
    baseUrl: url.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'errand' },
    request: {
      signal,
      // A redirected POST would become a GET, and look like a success.
      redirect: 'manual',
      log: silent,
      ...(ask && { fetch: ask }),
    },
  });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Why there is no answer of GitHub, or which one there is. */
function explain(error: unknown, redact: (text: string) => string): GitHubAnswer | ActionError {
  if (!(error instanceof Error)) throw error;
  if ('response' in error && isRecord(error.response)) {
    return error.response as unknown as GitHubAnswer;
  }
  const code = codeOf(error);
  const why = redact(error.message);
  if (code !== undefined && neverSent.has(code)) {
    const message = `GitHub could not be reached (${why}). Nothing was done: look at the network, and at "url" if the action has one.`;
    return failed('github_unreachable', message, { isTransient: true });
  }
  return failed('github_uncertain', `The connection to GitHub was lost (${why}). ${maybeDone}`);
}

/** What fails before a request is sent. */
const neverSent: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** What later actions can use of an answer. */
function outputOf(data: unknown): unknown {
  if (Array.isArray(data)) return { labels: data.map((label) => isRecord(label) && label['name']) };
  if (!isRecord(data)) return {};
  const { number, id, html_url: url, state, merged, sha, tag_name: tag } = data;
  const found = Object.entries({ number, id, url, state, merged, sha, tag });
  return Object.fromEntries(
    found
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );
}
