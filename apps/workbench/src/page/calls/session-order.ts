import type { Session } from '../../contract.ts';

const urgency: Readonly<Record<Session['level'], number>> = { reached: 0, near: 1, ok: 2 };

/** Sorts sessions at their limit first, then by number of calls. */
export function byUrgency(a: Session, b: Session): number {
  return urgency[a.level] - urgency[b.level] || b.executed - a.executed;
}
