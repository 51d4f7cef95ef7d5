import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, random } from '../../packages/document/src/testing/random.ts';
import { type Mail, MailFleet, type TraceLine } from './mail-fleet.ts';

export interface KillPlan {
  readonly url: string;
  readonly seed: number;
  readonly kills: number;
  readonly mailboxes: number;
  /** Each mailbox gets so many bursts of three mails. */
  readonly bursts: number;
  readonly workers: number;
  readonly leaseMs: number;
  /** About how long nobody is killed. */
  readonly pauseMs: number;
  /** The longest that a step takes before its effect, and after it. */
  readonly stepMs: number;
  /** No worker stands still for a whole lease, so that two are never seen at one mail. */
  readonly isStrict?: boolean;
}

export interface KilledWorkers {
  readonly flaws: readonly string[];
  readonly mails: number;
  /** Jobs that killed workers had. */
  readonly interrupted: number;
  /** Steps that were begun more than once. */
  readonly repeatedSteps: number;
  readonly medianResumeMs: number;
  readonly slowestResumeMs: number;
}

/** Kills one worker after the other at any time, while mails come and others take their place. */
export async function killWorkers(plan: KillPlan): Promise<KilledWorkers> {
  const { seed, kills, workers, pauseMs, isStrict = false } = plan;
  const chance = random(seed);
  await using fleet = new MailFleet(plan);
  const first = Array.from({ length: workers }, () => fleet.start());
  await Promise.all(first.map(({ ready }) => ready));
  const mails = mailsOf(plan, chance);
  const interruptions: Interruption[] = [];
  let added = Promise.resolve();
  for (let kill = 0; kill < kills; kill += 1) {
    const chunk = mails.splice(0, Math.ceil(mails.length / (kills - kill)));
    added = added.then(() => fleet.add(chunk));
    await sleep(pauseMs / 2 + chance.below(pauseMs));
    const worker = chance.pick([...fleet.workers]);
    fleet.start();
    const { at, jobs } = await fleet.kill(worker);
    for (const mail of jobs) interruptions.push({ at, mail, worker: worker.name });
  }
  await added;
  await fleet.settled(600_000);
  const trace = fleet.trace();
  const times = interruptions.map((each) => resumedAfter(each, trace)).toSorted((a, b) => a - b);
  const begun = trace.filter(({ what }) => what === 'begin');
  return {
    flaws: (await fleet.flaws(isStrict)).map((flaw) => `seed ${seed}: ${flaw}`),
    mails: fleet.mails,
    interrupted: interruptions.length,
    repeatedSteps:
      begun.length - new Set(begun.map(({ mail, detail }) => `${mail} ${detail}`)).size,
    medianResumeMs: times[times.length >> 1] ?? 0,
    slowestResumeMs: times.at(-1) ?? 0,
  };
}

interface Interruption {
  readonly at: number;
  readonly mail: string;
  readonly worker: string;
}

/** Three at a time, so that some of a mailbox wait for others. */
function mailsOf({ mailboxes, bursts, stepMs }: KillPlan, chance: Random): Mail[] {
  return Array.from({ length: mailboxes * bursts }, (_, at) =>
    [0, 1, 2].map((more) => ({
      mailbox: at % mailboxes,
      number: Math.floor(at / mailboxes) * 3 + more,
      pausesMs: [chance.below(stepMs), chance.below(stepMs)] as const,
    })),
  ).flat();
}

/** Until another worker began a step of the mail; a mail without one was finished at once. */
function resumedAfter({ at, mail, worker }: Interruption, trace: readonly TraceLine[]): number {
  const next = trace.find(
    (line) =>
      line.at >= at && line.mail === mail && line.worker !== worker && line.what === 'begin',
  );
  return next === undefined ? 0 : next.at - at;
}
