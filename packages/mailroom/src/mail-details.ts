import { digestOf, outgoingOf, writtenIn } from './draft-note.ts';
import {
  type MailDecision,
  type MailDetails,
  type MailDraft,
  type MailItem,
  type MailReasons,
  type MailRuleName,
  mailDecisions,
} from './mail-board.ts';
import { concerns, idsIn, logEntry } from './mail-log.ts';
import { readMailNote } from './mail-note.ts';
import type { MailNotes } from './mail-notes.ts';
import { MailroomError } from './mailroom-error.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { answeredId, countOf, kindOf, type MailNote, textOf } from './note-head.ts';
import { itemOf } from './note-item.ts';

/** A mail and its draft, whichever of them is asked for. */
export async function mailDetails(note: MailNote, notes: MailNotes): Promise<MailDetails> {
  const isMail = kindOf(note) === 'mail';
  const answered = isMail ? undefined : answeredId(note);
  const mail = isMail ? note : answered && (await notes.locate(answered, 'mail'));
  const draft = isMail ? await draftFor(note, notes) : note;
  const read = mail ? readMailNote(mail) : undefined;
  const { notes: written, ...received } = read ?? {};
  return {
    item: itemIn(note),
    ...(mail &&
      read && { mail: { ...(received as Omit<typeof read, 'notes'>), item: itemIn(mail) } }),
    ...(draft && { draft: draftOf(draft) }),
    ...(written !== undefined && { notes: written }),
  };
}

function draftOf(note: MailNote): MailDraft {
  const { leaves, mistakes } = outgoingOf(note);
  const draftedBy = textOf(note, 'drafted_by');
  const approval = textOf(note, 'approval');
  return {
    item: itemIn(note),
    ...(leaves && { leaves }),
    mistakes,
    written: writtenIn(note),
    seen: digestOf(note),
    ...(draftedBy !== undefined && { draftedBy }),
    ...((approval === 'expired' || approval === 'changed') && { approval }),
  };
}

/** Why a mail was treated as it was, by its note and by the logs. */
export async function mailReasons(
  found: MailNote,
  { notes, log }: Pick<MailroomPorts, 'notes' | 'log'>,
): Promise<MailReasons> {
  const answered = kindOf(found) === 'draft' ? answeredId(found) : undefined;
  const note = (answered && (await notes.locate(answered, 'mail'))) || found;
  const ids = [...idsIn(found), ...idsIn(note)];
  const lines = await log.read({ limit: 200, fits: (line) => concerns(line, ids) });
  const decision = lines.find((line) => line.event === 'decision');
  const confidence = Number(textOf(note, 'confidence'));
  const reasoning = textOf(note, 'decision_reason') ?? textOf(note, 'last_error');
  const decided = textOf(note, 'decision');
  const [decidedBy, decidedAt, rule] = ['decided_by', 'decided_at', 'rule'].map((key) =>
    textOf(note, key),
  );
  const iterations = countOf(note, 'iteration_count');
  const rules = note.values.decision_rules;
  return {
    item: itemIn(found),
    ...(mailDecisions.some((name) => name === decided) && { decision: decided as MailDecision }),
    ...(!Number.isNaN(confidence) && { confidence }),
    ...(reasoning !== undefined && { reasoning }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(decidedAt !== undefined && { decidedAt }),
    ...(iterations > 0 && { iterations }),
    ...(decision !== undefined && {
      tokens: {
        input: Number(decision.tokens_in) || 0,
        output: Number(decision.tokens_out) || 0,
      },
      latencyMs: Number(decision.latency_ms) || 0,
    }),
    rules: Array.isArray(rules) ? (rules.map(String) as MailRuleName[]) : [],
    ...(rule !== undefined && { rule }),
    redactions: kindOf(note) === 'mail' ? readMailNote(note).redactions : [],
    isCut: decision?.is_cut === true,
    history: lines.map(logEntry),
  };
}

/** The draft that answers a mail. */
export async function draftFor(mail: MailNote, notes: MailNotes): Promise<MailNote | undefined> {
  const draftId = textOf(mail, 'draft_id');
  const known = draftId && (await notes.locate(draftId, 'draft'));
  if (known) return known;
  const messageId = textOf(mail, 'message_id');
  const head = notes.heads.find(
    (each) => kindOf(each) === 'draft' && answeredId(each) === messageId,
  );
  return head && notes.read(head.path);
}

/** A note as an item; throws when it has nothing to do with mail. */
export function itemIn(note: MailNote): MailItem {
  const item = itemOf(note);
  if (item === undefined) throw new MailroomError('not_found', `${note.path} is no mail.`);
  return item;
}
