import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A mail that came to a simulated mailbox. */
export interface Mail {
  readonly mailbox: number;
  readonly number: number;
  /** How long each of its steps takes before and after its effect. */
  readonly pausesMs: readonly [before: number, after: number];
}

export interface ToWorker {
  readonly mails: readonly Mail[];
}

export type FromWorker =
  | { readonly kind: 'ready' | 'added' | 'not-added' }
  | { readonly kind: 'fault'; readonly code: string };

/** A worker as a process of its own. */
export interface FleetWorker {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  /** What it said was wrong. */
  readonly faults: string[];
}

interface FleetOptions {
  readonly url: string;
  readonly leaseMs: number;
}

/** Workers on simulated mailboxes, and what they did to the world outside. */
export class MailFleet implements AsyncDisposable {
  readonly workers = new Set<FleetWorker>();
  readonly #options: FleetOptions;
  readonly #space = `fleet_${randomUUID().slice(0, 8)}`;
  readonly #folder = mkdtempSync(join(tmpdir(), 'errand-fleet-'));
  readonly #mails: Mail[] = [];
  #started = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    writeFileSync(this.#trace, '');
  }

  get mails(): number {
    return this.#mails.length;
  }

  start(url = this.#options.url): FleetWorker {
    this.#started += 1;
    const name = `w${this.#started}`;
    const args = [url, this.#space, String(this.#options.leaseMs), name, this.#trace];
    const child = fork(join(import.meta.dirname, 'mail-worker-fixture.ts'), args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ready = Promise.withResolvers<void>();
    const faults: string[] = [];
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') ready.resolve();
      if (message.kind === 'fault') faults.push(message.code);
    });
    const worker = {
      name,
      child,
      ready: Promise.race([ready.promise, once(child, 'exit')]),
      faults,
    };
    this.workers.add(worker);
    child.on('exit', () => void this.workers.delete(worker));
    return worker;
  }

  /** Ends a worker without a word; answers with the jobs that it had. */
  async kill(
    worker: FleetWorker,
  ): Promise<{ readonly at: number; readonly jobs: readonly string[] }> {
    const ended = once(worker.child, 'exit');
    worker.child.kill('SIGKILL');
    await ended;
    const at = Date.now();
    const rows = await this.#query(
      `SELECT j.id FROM SPACE.jobs j JOIN SPACE.workers w ON w.id = j.worker WHERE w.name = $1 AND j.state = 'running'`,
      [worker.name],
    );
    return { at, jobs: rows.map(({ id }) => String(id)) };
  }

  /** Has some worker store mails; when that one dies meanwhile, another one stores the same ones. */
  async add(mails: readonly Mail[]): Promise<void> {
    this.#mails.push(...mails);
    for (;;) {
      const worker = [...this.workers].at(-1);
      if (worker === undefined) throw new Error('There is no worker.');
      await worker.ready;
      if (await this.#addBy(worker, mails)) return;
      await sleep(20);
    }
  }

  async #addBy({ child }: FleetWorker, mails: readonly Mail[]): Promise<boolean> {
    const over = new AbortController();
    const { signal } = over;
    try {
      const answered = new Promise<boolean>((resolve) => {
        const hear = ({ kind }: FromWorker) => {
          if (kind === 'added' || kind === 'not-added') resolve(kind === 'added');
        };
        child.on('message', hear);
        signal.addEventListener('abort', () => void child.off('message', hear));
      });
      if (!child.connected) return false;
      child.send({ mails } satisfies ToWorker, () => undefined);
      const died = once(child, 'exit', { signal }).then(() => false);
      died.catch(() => undefined);
      return await Promise.race([answered, died]);
    } finally {
      over.abort();
    }
  }

  /** Resolves when nothing is left to do; rejects when that takes too long. */
  async settled(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const [row] = await this.#query(
        `SELECT count(*) FILTER (WHERE state IN ('queued', 'running'))::integer AS count FROM SPACE.jobs`,
      );
      if (row?.count === 0) return;
      if (performance.now() > until)
        throw new Error(`After ${timeoutMs} ms ${row?.count} jobs are left.`);
      await sleep(50);
    }
  }

  /** What happened outside, in order. */
  trace(): readonly TraceLine[] {
    const lines = readFileSync(this.#trace, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [at, worker = '', mail = '', what = '', detail = ''] = line.split(' ');
      return { at: Number(at), worker, mail, what, detail };
    });
  }

  /**
   * What is wrong at the end: mails that were lost, sent twice or out of order, and finished steps that ran again. Whoever
   * stood still for a whole lease may end a step later, which changes nothing; with `isStrict` nobody did.
   */
  async flaws(isStrict: boolean): Promise<readonly string[]> {
    const trace = this.trace();
    const byMail = Map.groupBy(trace, ({ mail }) => mail);
    const sentFor = new Map<number, number[]>();
    const drafts = new Set<string>();
    for (const { what, mail, detail } of trace) {
      if (what !== 'send' || drafts.has(detail)) continue;
      drafts.add(detail);
      const [mailbox, number] = mail.split('.').map(Number);
      sentFor.set(mailbox ?? 0, [...(sentFor.get(mailbox ?? 0) ?? []), number ?? 0]);
    }
    const flaws: string[] = [];
    for (const [mailbox, mails] of Map.groupBy(this.#mails, (mail) => mail.mailbox)) {
      const expected = mails.map(({ number }) => number).join(' ');
      const sent = sentFor.get(mailbox)?.join(' ') ?? '';
      if (sent !== expected) flaws.push(`mailbox ${mailbox} sent ${sent}, not ${expected}`);
    }
    for (const [mail, lines] of byMail) {
      if (!isStrict) continue;
      flaws.push(...overlaps(lines).map((overlap) => `mail ${mail}: ${overlap}`));
      const begun = lines.flatMap(({ what, detail }) => (what === 'begin' ? [detail] : []));
      const steps = begun.filter((step, index) => step !== begun[index - 1]).join(' ');
      if (steps !== 'fetch draft send file') flaws.push(`mail ${mail} went through ${steps}`);
    }
    const undone = await this.#query(`SELECT id, state FROM SPACE.jobs WHERE state <> 'done'`);
    for (const { id, state } of undone) flaws.push(`the job of mail ${id} is ${state}`);
    const [stored] = await this.#query('SELECT count(*)::integer AS count FROM SPACE.jobs');
    if (stored?.count !== this.#mails.length)
      flaws.push(`${stored?.count} of ${this.#mails.length} jobs are stored`);
    return flaws;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [...this.workers].map(async ({ child }) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #trace(): string {
    return join(this.#folder, 'trace');
  }

  async #query(text: string, values: unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#options.url });
    await client.connect();
    try {
      return (await client.query(text.replaceAll('SPACE.', `errand_${this.#space}.`), values)).rows;
    } finally {
      await client.end();
    }
  }
}

/** Effects of a worker after another one has begun with the same mail. */
function overlaps(lines: readonly TraceLine[]): readonly string[] {
  return lines.flatMap(({ worker, what }, at) => {
    const next = lines.slice(0, at).findLast((line) => line.what === 'begin');
    return what === 'begin' || next?.worker === worker
      ? []
      : [`${worker} did ${what} after ${next?.worker} had begun`];
  });
}

export interface TraceLine {
  readonly at: number;
  readonly worker: string;
  readonly mail: string;
  readonly what: string;
  readonly detail: string;
}
