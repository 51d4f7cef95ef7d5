import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addComment,
  openPullRequest,
} from '../../servers/bitbucket/src/testing/double/change-world.ts';
import {
  type Bitbucket,
  basic,
  startBitbucket,
} from '../../servers/bitbucket/src/testing/start-bitbucket.ts';
import { type BenchRow, median } from './bench-row.ts';
import { installPeers } from './install-peers.ts';
import { type PipedServer, startOnPipes } from './piped-server.ts';

const root = join(import.meta.dirname, '..', '..');
const peerName = 'bitbucket-mcp';
const peers = { [peerName]: '5.0.6' };
const rounds = 5;

/** The same question in the words of both servers, and what a right answer says. */
interface Question {
  readonly what: string;
  readonly ours: readonly [tool: string, input: object];
  readonly peer: readonly [tool: string, input: object];
  readonly isRight: (text: string) => boolean;
}

const ours = { repository: 'acme/web', pull_request: 1 };
const theirs = { workspace: 'acme', repo_slug: 'web', pull_request_id: '1' };
const titles = Array.from({ length: 25 }, (_, index) => `Change number ${index + 1}`);

const questions: readonly Question[] = [
  {
    what: 'list of 25 pull requests',
    ours: ['list_pull_requests', { repository: 'acme/web' }],
    peer: ['getPullRequests', { workspace: 'acme', repo_slug: 'web', state: 'OPEN', limit: 25 }],
    isRight: (text) => titles.every((title) => text.includes(title)),
  },
  {
    what: 'one pull request',
    ours: ['get_pull_request', ours],
    peer: ['getPullRequest', theirs],
    isRight: (text) => text.includes('Change number 1') && text.includes('Grace Hopper'),
  },
  {
    what: 'threads of 20 comments',
    ours: ['list_comments', ours],
    peer: ['getPullRequestComments', { ...theirs, pagelen: 50 }],
    isRight: (text) => text.includes('comment 1"') && text.includes('comment 20"'),
  },
  {
    what: 'begin of a diff of 100,000 lines',
    ours: ['get_pull_request_diff', ours],
    peer: ['getPullRequestDiff', theirs],
    // What is larger than this is cut or refused by the programs that ask.
    isRight: (text) => text.includes('+line 1') && text.length < 100_000,
  },
];

/** The Bitbucket server as built beside another one, on the same double: time, size and truth of the same answers. */
export async function bench(): Promise<BenchRow[]> {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
  const folder = mkdtempSync(join(tmpdir(), 'errand-bench-'));
  await using bitbucket = await fill();
  const peerProgram = join(installPeers('bench-bitbucket', peers), 'node_modules', peerName);
  const peerEnv = {
    BITBUCKET_URL: bitbucket.url,
    BITBUCKET_USERNAME: 'peer',
    BITBUCKET_PASSWORD: 'peer-password',
    BITBUCKET_LOG_DISABLE: 'true',
  };
  bitbucket.known.set(basic('peer', 'peer-password'), bitbucket.ada);
  try {
    const own = [join(root, 'servers/bitbucket/dist/main.js')];
    const other = [join(peerProgram, 'dist/index.js')];
    const starts = {
      ours: await startTimes(own, folder, bitbucket.env),
      peer: await startTimes(other, folder, peerEnv),
    };
    await using mine = await startOnPipes(own, folder, bitbucket.env);
    await using peer = await startOnPipes(other, folder, peerEnv);
    const rows: BenchRow[] = [
      {
        what: 'bitbucket: start to first answer over stdio, p50',
        unit: 'ms',
        ours: starts.ours,
        peer: starts.peer,
        peerName,
        target: 'at most 200',
        pass: starts.ours <= 200,
      },
    ];
    const right = { ours: 0, peer: 0 };
    for (const question of questions) {
      const a = await measure(mine, question.ours, question.isRight);
      const b = await measure(peer, question.peer, question.isRight);
      right.ours += a.isRight ? 1 : 0;
      right.peer += b.isRight ? 1 : 0;
      const what = `bitbucket: ${question.what}`;
      const common = { peerName, target: 'less than the peer' };
      rows.push(
        {
          what: `${what}, tokens`,
          unit: 'count',
          ours: a.tokens,
          peer: b.tokens,
          ...common,
          pass: a.tokens < b.tokens,
        },
        {
          what: `${what}, time`,
          unit: 'ms',
          ours: a.ms,
          peer: b.ms,
          ...common,
          target: 'beside the peer',
          pass: a.ms < b.ms * 1.5 + 20 || !b.isRight,
        },
      );
    }
    rows.push({
      what: `bitbucket: right answers to ${questions.length} questions`,
      unit: 'count',
      ours: right.ours,
      peer: right.peer,
      peerName,
      target: 'all',
      pass: right.ours === questions.length,
    });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startTimes(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using running = await startOnPipes(args, folder, env);
    times.push(running.startMs);
  }
  return median(times);
}

async function measure(
  server: PipedServer,
  [tool, input]: readonly [string, object],
  isRight: Question['isRight'],
) {
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < rounds; round += 1) {
    const { ms, answer } = await server.call(tool, input);
    times.push(ms);
    text = textOf(answer);
  }
  // About four characters make a token.
  return { ms: median(times), tokens: Math.ceil(text.length / 4), isRight: isRight(text) };
}

/** What a model gets to read of an answer; nothing of a refused request. */
function textOf(answer: unknown): string {
  const { content } = (answer ?? { content: [] }) as {
    readonly content?: readonly { readonly text?: string }[];
  };
  return content?.map(({ text = '' }) => text).join('') ?? JSON.stringify(answer);
}

async function fill(): Promise<Bitbucket> {
  const bitbucket = await startBitbucket('cloud');
  const { world, grace, ada } = bitbucket;
  const web = await bitbucket.add('web');
  await web.git.commit('main', 'First', { 'a.txt': 'one\n' });
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join('\n');
  for (const [index, title] of titles.entries()) {
    const branch = `work/${index}`;
    const files = { 'big.txt': index === 0 ? lines : `${index}\n` };
    await web.git.commit(branch, title, files, { from: 'main' });
    await openPullRequest(world, web, {
      author: grace,
      title,
      description: 'Why this is needed, in a sentence or two. '.repeat(10),
      from: { repository: web, branch },
      target: 'main',
      reviewers: [ada],
    });
  }
  const [first] = web.pullRequests;
  if (first === undefined) throw new Error('There is no pull request.');
  for (let count = 1; count <= 20; count += 1) {
    addComment(world, first, { author: ada, text: `comment ${count}` });
  }
  return bitbucket;
}
