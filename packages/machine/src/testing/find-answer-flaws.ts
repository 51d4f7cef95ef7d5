import type { Connection } from '@errand/host';
import { HostError, within } from '@errand/host';
import fc from 'fast-check';
import { ConnectionBench } from './connection-bench.ts';
import { type OddAnswer, oddAnswer, writeOddAnswer } from './odd-answer.ts';
import { OddHttpServer } from './odd-http-server.ts';

/** The deadline of a call; only answers that never come reach it. */
const deadlineMs = 250;
const hangMs = 15_000;
const callsAtOnce = 50;
const sampledAtOnce = 1000;

/**
 * Answers of servers over HTTP, made to hurt, after which a call does not end, ends with something else than a
 * result or a `HostError`, or which throw where nobody catches.
 */
export async function findAnswerFlaws(seed: number, count: number): Promise<readonly string[]> {
  const flaws: string[] = [];
  const running = new Map<string, OddAnswer>();
  const note = (error: unknown) => {
    flaws.push(`${error}: one of ${JSON.stringify([...running.values()])}`);
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  try {
    await using server = await new OddHttpServer({
      session: 'one',
      call: (id, response, tool) => {
        const answer = running.get(tool);
        if (answer !== undefined) writeOddAnswer(answer, id, response);
      },
    }).start();
    await using bench = new ConnectionBench();
    const peers = [
      new Peer(bench, server.url, 'http'),
      new Peer(bench, server.url, 'http'),
      new Peer(bench, server.url, 'http'),
      new Peer(bench, server.sseUrl, 'sse'),
    ];
    const answers = samples(seed, count);
    let calls = 0;
    const work = async () => {
      for (const answer of answers) {
        calls += 1;
        const tool = `${calls}`;
        running.set(tool, answer);
        const flaw = await peers[calls % peers.length]?.flawOf(tool);
        running.delete(tool);
        if (flaw !== undefined) flaws.push(`${flaw}: ${JSON.stringify(answer)}`);
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, work));
    return flaws;
  } finally {
    process.off('uncaughtException', note).off('unhandledRejection', note);
  }
}

function* samples(seed: number, count: number): Generator<OddAnswer> {
  for (let done = 0; done < count; done += sampledAtOnce) {
    const numRuns = Math.min(sampledAtOnce, count - done);
    yield* fc.sample(oddAnswer, { seed: seed + done, numRuns });
  }
}

/** A connection that is made anew when an answer has ended it. */
class Peer {
  readonly #open: () => Promise<Connection>;
  #connection: Promise<Connection> | undefined;

  constructor(bench: ConnectionBench, url: string, transport: 'http' | 'sse') {
    this.#open = async () => {
      const connection = await bench.external(url, { transport, era: 'legacy' });
      void connection.lost.then(() => {
        this.#connection = undefined;
      });
      return connection;
    };
  }

  /** What is wrong with how the call of a tool ends. */
  async flawOf(tool: string): Promise<string | undefined> {
    this.#connection ??= this.#open();
    const connection = await this.#connection;
    const signal = AbortSignal.timeout(deadlineMs);
    const outcome = connection.callTool({ tool, arguments: {} }, { signal }).then(
      () => 'ended',
      (error: unknown) => (error instanceof HostError ? 'ended' : `rejected with ${error}`),
    );
    const end = (await within(outcome, hangMs)) ?? 'did not end';
    return end === 'ended' ? undefined : end;
  }
}
