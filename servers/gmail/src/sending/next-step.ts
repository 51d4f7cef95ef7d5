import type { SendRecord } from './ledger.ts';

/** What was seen of a mail at Gmail since its record was read. Absent: not looked yet. */
export interface Observations {
  /** The draft of an attempt whose answer was lost. */
  readonly orphan?: 'found' | 'none';
  /** The draft that the record names: as approved, changed by somebody, or not there any more. */
  readonly draft?: 'same' | 'other' | 'gone';
  /** The sent mail, looked for in the thread of the draft. */
  readonly copy?: 'found' | 'none';
}

/** What to do next about a mail. */
export type Step =
  | { readonly kind: 'answer' }
  | { readonly kind: 'create-draft' }
  | { readonly kind: 'find-orphan' }
  | { readonly kind: 'adopt-orphan' }
  | { readonly kind: 'look-at-draft' }
  | { readonly kind: 'send-draft' }
  | { readonly kind: 'look-for-copy' }
  | { readonly kind: 'record-copy' }
  /** Somebody else may be acting, or a request may still be running. */
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** The record is from a time that has not come: the clock was set back, so the wait begins now. */
  | { readonly kind: 'restamp' }
  /** Nobody can tell whether it was sent; a person has to look. */
  | { readonly kind: 'give-up' }
  | { readonly kind: 'refuse' };

/** Who asks, and when. */
interface Situation {
  readonly owner: string;
  readonly now: number;
  /** Whether the mail has a key of the caller, which other machines may use too. */
  readonly isKeyed: boolean;
}

/** How long a request may still be running after its sender has lost it, in milliseconds. */
export const settleTime = 60_000;

/**
 * Decides about a mail from its record and from what was seen at Gmail. Two rules keep it from going out twice: only
 * a draft is ever sent, which Gmail does once; and a draft that is gone without a trace is never made again.
 */
export function nextStep(
  record: SendRecord,
  { owner, now, isKeyed }: Situation,
  seen: Observations = {},
): Step {
  if (record.state === 'sent') return { kind: 'answer' };
  if (record.state === 'unclear') return whileUnclear(seen);
  const mayBeRunning = record.state === 'drafting' || record.state === 'sending';
  if (mayBeRunning || record.owner !== owner) {
    const age = now - record.changedAt;
    if (age < 0) return { kind: 'restamp' };
    if (age < settleTime) return { kind: 'wait', milliseconds: settleTime - age };
  }
  if (record.state === 'intent' && !isKeyed) return { kind: 'create-draft' };
  if (record.state === 'intent') return beforeDraft(seen, { kind: 'create-draft' });
  return record.state === 'drafting' ? afterLostDraft(seen) : afterDraft(seen);
}

/** Gmail may have shown the sent mail late; to look for it sends nothing. */
function whileUnclear({ copy }: Observations): Step {
  if (copy === undefined) return { kind: 'look-for-copy' };
  return { kind: copy === 'found' ? 'record-copy' : 'refuse' };
}

/** A draft may be there whose id nobody has: of a lost answer, or of another machine that was to send under the same key. */
function beforeDraft({ orphan }: Observations, otherwise: Step): Step {
  if (orphan === undefined) return { kind: 'find-orphan' };
  return orphan === 'found' ? { kind: 'adopt-orphan' } : otherwise;
}

/** A draft that was made and is not there may have been sent, by a person or by another machine. */
function afterLostDraft(seen: Observations): Step {
  if (seen.copy === 'found') return { kind: 'record-copy' };
  return beforeDraft(seen, { kind: seen.copy === 'none' ? 'create-draft' : 'look-for-copy' });
}

function afterDraft({ draft, copy }: Observations): Step {
  if (draft === undefined) return { kind: 'look-at-draft' };
  if (draft === 'same') return { kind: 'send-draft' };
  if (draft === 'other') return { kind: 'give-up' };
  if (copy === undefined) return { kind: 'look-for-copy' };
  return { kind: copy === 'found' ? 'record-copy' : 'give-up' };
}
