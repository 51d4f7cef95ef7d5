import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { random } from '@errand/document/testing';
import { hostileHeaders, hostileMessage } from '@errand/machine/testing';
import { answerFlaw, type ExpectedAnswer, expectedAnswer } from './expected-answer.ts';
import {
  addressOf,
  RawClient,
  type RunningTestProgram,
  spawnTestProgram,
  textOf,
} from './spawn-test-program.ts';

const atOnce = 8;
/** Far more than anything takes here; what reaches it would have waited for ever. */
const deadlineMs = 60_000;
const sentinel = { jsonrpc: '2.0', id: 'sentinel', method: 'ping' };

/**
 * Hostile messages of clients that harm a real gateway: that end it, that it does not answer or not as JSON-RPC
 * says, or that it calls a defect of its own. Every third goes over stdio, the others over HTTP.
 */
export async function findClientFlaws(seed: number, count: number): Promise<readonly string[]> {
  const flaws: string[] = [];
  const seeds = Array.from({ length: count }, (_, index) => seed + index);
  await Promise.all([
    overStdio(
      seeds.filter((each) => each % 3 === 0),
      flaws,
    ),
    overHttp(
      seeds.filter((each) => each % 3 !== 0),
      flaws,
    ),
  ]);
  return flaws;
}

async function overStdio(seeds: readonly number[], flaws: string[]): Promise<void> {
  await using program = spawnTestProgram({ servers: { a: {} }, over: 'stdio' });
  const { stdin, stdout } = program.child;
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    for (;;) {
      const line = await inTime(lines.next());
      if (line.done) throw new Error(`it ended: ${program.stderr()}`);
      const answer = JSON.parse(line.value) as object;
      if (!('method' in answer)) return answer;
    }
  };
  for (const seed of seeds) {
    const bytes = hostileMessage(random(seed));
    const expected = expectedAnswer(bytes);
    if (expected.kind === 'unknown' || bytes.length === 0) continue;
    const isSilent = expected.kind === 'none' || expected.kind === 'unanswerable';
    stdin.write(bytes);
    stdin.write(isSilent ? `\n${JSON.stringify(sentinel)}\n` : '\n');
    const wanted = isSilent ? ({ kind: 'answer', id: 'sentinel' } as const) : expected;
    const flaw = await next().then((answer) => describe(wanted, answer), String);
    if (flaw !== undefined)
      flaws.push(`stdio, seed ${seed}: ${bytes.toString().slice(0, 500)}: ${flaw}`);
    if (flaws.length >= 10 || program.child.exitCode !== null) return;
  }
  takeDefects(program, flaws);
}

async function overHttp(seeds: readonly number[], flaws: string[]): Promise<void> {
  await using program = spawnTestProgram({ servers: { a: {} }, over: 'http' });
  const url = await addressOf(program);
  const agent = new Agent({ keepAlive: true });
  const waiting = [...seeds];
  const work = async () => {
    using client = await new RawClient(url).initialize();
    const session = client.session ?? '';
    for (let seed = waiting.pop(); seed !== undefined; seed = waiting.pop()) {
      const flaw = await inTime(httpFlaw(seed, { url, agent, session })).catch(String);
      if (flaw !== undefined) flaws.push(`http, seed ${seed}: ${flaw}`);
      if (flaws.length >= 10 || program.child.exitCode !== null) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  using client = await new RawClient(url).initialize();
  if (!JSON.stringify(await client.call('a__echo', { text: 'alive' })).includes('alive')) {
    flaws.push('http: it no longer works');
  }
  agent.destroy();
  takeDefects(program, flaws);
}

interface HttpTarget {
  readonly url: string;
  readonly agent: Agent;
  readonly session: string;
}

async function httpFlaw(seed: number, target: HttpTarget): Promise<string | undefined> {
  const chance = random(seed);
  const body = hostileMessage(chance);
  const expected = expectedAnswer(body);
  if (expected.kind === 'unknown') return undefined;
  const usual = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': target.session,
  };
  if (chance.oneIn(20)) return sendRaw(target.url, chance.below(2) === 0, body);
  const isHostile = chance.oneIn(4);
  const headers = isHostile ? { ...usual, ...hostileHeaders(chance) } : usual;
  const method = isHostile ? chance.pick(['POST', 'POST', 'PUT', 'PATCH', 'OPTIONS']) : 'POST';
  const path = isHostile ? chance.pick(['', '?', '?note=%', '?note=a.md&line=x', '?&&=']) : '';
  const response = await send(
    `${target.url}${path}`,
    { method, headers, agent: target.agent },
    body,
  );
  const status = response.statusCode ?? 0;
  const text = await textOf(response);
  const exchange = `${body.toString().slice(0, 500)}: ${status} ${text.slice(0, 300)}`;
  if (status >= 500) return `${exchange}: it fails`;
  if (isHostile) return undefined;
  if (expected.kind === 'none') return status === 202 && text === '' ? undefined : exchange;
  const data = /^data: (.*"id":.*)$/m.exec(text)?.[1] ?? text;
  const flaw = describe(expected, JSON.parse(data));
  const isStatus = expected.kind === 'answer' ? [200, 400, 404].includes(status) : status === 400;
  return flaw === undefined && isStatus
    ? undefined
    : `${exchange}: ${flaw ?? 'the status is wrong'}`;
}

function send(
  url: string,
  options: { readonly method: string; readonly headers: object; readonly agent: Agent },
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, 'content-length': String(body.length) };
    const sent = request(url, { ...options, headers }, resolve);
    sent.on('error', reject).end(body);
  });
}

/** Writes what is hardly HTTP, or half of a request, and goes. */
async function sendRaw(url: string, isHalf: boolean, body: Buffer): Promise<undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 50}\r\n\r\n`;
  socket.on('error', () => {}).resume();
  socket.write(isHalf ? head : body);
  socket.end(body);
  setImmediate(() => isHalf && socket.destroy());
  // That the gateway hangs up is its right here.
  await new Promise((resolve) => socket.on('close', resolve));
  return undefined;
}

function describe(expected: ExpectedAnswer, answer: unknown): string | undefined {
  const flaw = answerFlaw(expected, answer);
  return flaw && `${flaw}: ${JSON.stringify(answer).slice(0, 300)}`;
}

/** What the program itself calls a defect is one, although it lives on. */
function takeDefects(program: RunningTestProgram, flaws: string[]): void {
  if (/defect|Error/.test(program.stderr())) flaws.push(program.stderr().slice(0, 2_000));
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${deadlineMs} ms`)), deadlineMs);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
