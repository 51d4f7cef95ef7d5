import type { SharedCounts } from '@errand/jobs';
import { addressIn } from './draft-note.ts';

const hour = 3_600_000;

/** How many mails came from whom within an hour, by a clock of ours: dates of mails can say anything. */
export interface SenderCounts {
  /** Counts a mail, once. */
  add(from: string, messageId: string, at?: number): Promise<void>;
  /** How many came from a sender up to a mail and with it: those that are stored beside it do not count for it. */
  recent(from: string, messageId: string): Promise<number>;
}

interface Arrival {
  readonly messageId: string;
  readonly at: number;
}

/** Counts for a program that works for its mailbox alone. */
export function senderCounts(now: () => number): SenderCounts {
  const arrivals = new Map<string, readonly Arrival[]>();
  const recentOf = (from: string) => {
    const sender = addressIn(from) ?? from;
    const recent = (arrivals.get(sender) ?? []).filter(({ at }) => now() - at < hour);
    return { sender, recent };
  };
  return {
    async add(from, messageId, at = now()) {
      const { sender, recent } = recentOf(from);
      const isKnown = recent.some((each) => each.messageId === messageId);
      const all =
        isKnown || now() - at >= hour
          ? recent
          : [...recent, { messageId, at }].sort((one, other) => one.at - other.at);
      if (all.length > 0) arrivals.set(sender, all);
      else arrivals.delete(sender);
    },
    async recent(from, messageId) {
      const { recent } = recentOf(from);
      const place = recent.findIndex((each) => each.messageId === messageId);
      return place === -1 ? recent.length : place + 1;
    },
  };
}

/** Counts for a mailbox that several programs work for: a robot is stopped whichever of them gets its mails. */
export function sharedSenderCounts(
  counts: SharedCounts,
  mailbox: string,
  now: () => number,
): SenderCounts {
  const keyOf = (from: string) => `mails to ${mailbox} from ${addressIn(from) ?? from}`;
  return {
    async add(from, messageId, at = now()) {
      const age = now() - at;
      if (age < hour) await counts.add(keyOf(from), messageId, age);
    },
    recent: (from, messageId) => counts.place(keyOf(from), messageId, hour),
  };
}
