import { type Host, type SessionUse, sessionOfNote } from '@errand/host';
import { troubledServers } from '../servers/server-changes.ts';
import type { Activity } from './activity.ts';

/** What the status bar knows. */
export interface StatusFacts {
  readonly running: number;
  readonly waiting: number;
  readonly isStopped: boolean;
  /** Of the note in front of the person. */
  readonly session: SessionUse | undefined;
  /** Names of servers that are lost or were given up. */
  readonly troubled: readonly string[];
  /** How hooks would run that no program runs now; nothing when one does, or there are none. */
  readonly idleHooks: string | undefined;
  /** What waits in the mailroom, where a program runs one. */
  readonly mail: { readonly waiting: number; readonly wrong: number } | undefined;
}

/** One thing that the status bar says. */
export interface StatusPart {
  readonly text: string;
  /** The same in full, for those who cannot see it and as a tooltip. */
  readonly label: string;
  readonly isWarning: boolean;
}

interface StatusOptions extends Pick<StatusFacts, 'idleHooks' | 'mail'> {
  /** The note in front of the person. */
  readonly note: string | undefined;
}

/** What a status bar says of a vault, and of the note in front of the person. */
export function describeStatus(
  { snapshot: { active, isStopped }, sessions }: Pick<Activity, 'snapshot' | 'sessions'>,
  { host }: { readonly host: Host },
  { note, idleHooks, mail }: StatusOptions,
): readonly StatusPart[] {
  const running = active.filter(({ status }) => status === 'executing').length;
  return statusLine({
    running,
    waiting: active.length - running,
    isStopped,
    session: note === undefined ? undefined : sessions.describe(sessionOfNote(note)),
    troubled: troubledServers({ host }),
    idleHooks,
    mail,
  });
}

/** What the status bar says; nothing when all is quiet. */
export function statusLine(facts: StatusFacts): readonly StatusPart[] {
  return [
    ...callParts(facts),
    ...sessionParts(facts),
    ...serverParts(facts),
    ...hookParts(facts),
    ...mailParts(facts),
  ];
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

function hookParts({ idleHooks }: StatusFacts): readonly StatusPart[] {
  if (idleHooks === undefined) return [];
  return [{ text: 'Hooks are off', label: idleHooks, isWarning: false }];
}

function mailParts({ mail }: StatusFacts): readonly StatusPart[] {
  if (mail === undefined || mail.waiting + mail.wrong === 0) return [];
  const { waiting, wrong } = mail;
  const words = [
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'} for you` : '',
    wrong > 0 ? `${wrong} ${wrong === 1 ? 'needs' : 'need'} a look` : '',
  ].filter((word) => word !== '');
  return [
    {
      text: `Mail: ${waiting + wrong}`,
      label: `Mailroom: ${words.join(', ')}`,
      isWarning: wrong > 0,
    },
  ];
}
