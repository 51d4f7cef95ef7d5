import type {
  MailBoard,
  MailDetails,
  MailItem,
  MailLogEntry,
  MailReasons,
  MailRound,
} from './mail-board.ts';

/**
 * What programs ask of the mailroom through the service `mail` of the program that owns the vault: parameters and
 * answers. `id` is that of an item, its path, or a beginning of the id that no other has. What cannot be done is
 * refused with a `MailroomError`, whose code the command line and apps turn into words.
 */
export interface MailMethods {
  board: { params: { done?: number }; result: MailBoard };
  show: { params: { id: string }; result: MailDetails };
  /**
   * Moves a draft to Approved. `seen` is from `show`; refused with `changed` when the draft is another by now.
   * One that waited too long is refused with `expired` unless `evenExpired` says that a person was told and wants it all
   * the same. Resolves when the note has moved; it leaves at once when mail is being sent.
   */
  approve: {
    params: { id: string; seen: string; evenExpired?: boolean };
    result: { item: MailItem };
  };
  /** A draft: to Done with `decision: rejected`, never sent. A mail: to Done, unanswered. */
  reject: { params: { id: string; reason?: string }; result: { item: MailItem } };
  /** Changes a draft that is not being sent. One that was approved goes back to Drafts. */
  edit: {
    params: {
      id: string;
      seen: string;
      to?: string;
      cc?: string;
      bcc?: string;
      subject?: string;
      body?: string;
    };
    result: MailDetails;
  };
  /** A mail is decided about again; an approved draft is tried at once. `note` tells the model what it asked for. */
  retry: { params: { id: string; note?: string }; result: { item: MailItem } };
  /** What a person found out about a draft that is `unclear`. */
  settle: { params: { id: string; outcome: 'was-sent' | 'send' }; result: { item: MailItem } };
  why: { params: { id: string }; result: MailReasons };
  log: { params: { id?: string; limit?: number }; result: { entries: readonly MailLogEntry[] } };
  /** Says which mails to take at the first start: those that come from now on, or unread ones of the last so many days. */
  begin: { params: { take: 'new' | { days: number } }; result: { board: MailBoard } };
  /** Makes this machine the one that fetches and sends for this vault. */
  'take-over': { params: object; result: { board: MailBoard } };
  /** Fetches, decides and sends now; a dry run writes and sends nothing. With `wait` it answers when all of it is done. */
  run: {
    params: { dryRun?: boolean; wait?: boolean };
    result: { round: MailRound; decisions: readonly DryDecision[] };
  };
  pause: { params: object; result: { board: MailBoard } };
  resume: { params: object; result: { board: MailBoard } };
}

/** What a dry run would have done with a mail. */
export interface DryDecision {
  readonly messageId: string;
  readonly from: string;
  readonly subject: string;
  readonly decision: string;
  readonly reasoning: string;
}
