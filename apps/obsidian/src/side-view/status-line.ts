import type { SessionUse } from '@errand/host';

/** What the status bar knows. */
export interface StatusFacts {
  readonly running: number;
  readonly waiting: number;
  readonly isStopped: boolean;
  /** Of the note in front of the person. */
  readonly session: SessionUse | undefined;
  /** Names of servers that are lost or were given up. */
  readonly troubled: readonly string[];
}

/** One thing that the status bar says. */
export interface StatusPart {
  readonly text: string;
  /** The same in full, for those who cannot see it and as a tooltip. */
  readonly label: string;
  readonly isWarning: boolean;
}

/** What the status bar says; nothing when all is quiet. */
export function statusLine(facts: StatusFacts): readonly StatusPart[] {
  return [...callParts(facts), ...sessionParts(facts), ...serverParts(facts)];
}

function callParts({ running, waiting, isStopped }: StatusFacts): readonly StatusPart[] {
  if (isStopped) {
    return [{ text: 'Stopped', label: 'All calls are stopped until you resume', isWarning: true }];
  }
  const words = [
    running > 0 ? `${running} running` : '',
    waiting > 0 ? `${waiting} waiting` : '',
  ].filter((word) => word !== '');
  if (words.length === 0) return [];
  const text = words.join(', ');
  return [{ text, label: `Calls: ${text}`, isWarning: false }];
}

function sessionParts({ session }: StatusFacts): readonly StatusPart[] {
  if (session === undefined || session.executed === 0 || session.limit === -1) return [];
  const { executed, limit, level } = session;
  const text = `${executed}/${limit} calls`;
  const used = `This note has used ${executed} of ${limit} calls`;
  const next = level === 'reached' ? `${used}: reset the session limits to run more` : used;
  return [{ text, label: next, isWarning: level !== 'ok' }];
}

function serverParts({ troubled }: StatusFacts): readonly StatusPart[] {
  if (troubled.length === 0) return [];
  const text =
    troubled.length === 1 ? '1 server in trouble' : `${troubled.length} servers in trouble`;
  return [{ text, label: `Needs attention: ${troubled.join(', ')}`, isWarning: true }];
}
