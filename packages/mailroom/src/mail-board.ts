/**
 * What a person sees of the mailroom. Apps get these values from the service `mail` (see `mail-methods.ts`), as JSON.
 * Everything here is a fact; apps write the sentences. Times are ISO 8601 in UTC. Texts of mails are strangers' text:
 * show them as text, never as HTML or Markdown.
 */

/** The folders are the state: where a note lies decides what happens to it. */
export const mailFolders = ['Needs_Action', 'Drafts', 'Approved', 'Done'] as const;

/** A folder whose notes the mailroom looks at. */
export type MailFolder = (typeof mailFolders)[number];

/** What is the matter with a note of the mailroom. */
export type MailState =
  /** A mail that nothing has decided about yet. */
  | 'new'
  /** A mail that a person has to look at: the model does not know enough, or is not sure enough. */
  | 'needs-info'
  /** A mail that somebody else should answer. */
  | 'delegated'
  /** A mail whose reply waits in Drafts or Approved, or was answered. */
  | 'answered'
  /** A mail about which no usable decision came. */
  | 'failed'
  /** A draft that waits for a person. */
  | 'waiting'
  /** A draft that waited too long; approving it asks again. */
  | 'expired'
  /** A draft that was changed after it was approved, and needs another approval. */
  | 'changed'
  /** An approved draft that leaves within the next round. */
  | 'approved'
  /** An approved draft that could not be sent, and is tried again at `nextTryAt`. */
  | 'retrying'
  /** An approved draft that will not be sent as it is: a bad address, too many attempts. */
  | 'stuck'
  /** An approved draft of which nobody knows whether it was sent. A person looks and says it: `settle`. */
  | 'unclear'
  | 'sent'
  | 'archived'
  | 'rejected'
  /** In Done for another reason: a person put it there. */
  | 'done'
  /** Its frontmatter cannot be read; nothing happens to it until a person mends it. */
  | 'unreadable'
  /** A mail in a folder for drafts, or the other way round. Nothing is sent. */
  | 'misplaced';

/** A note of the mailroom on the board. */
export interface MailItem {
  /** The Gmail id of a mail, the id of a draft; the path of a note without either. Every method takes it, or a path. */
  readonly id: string;
  readonly kind: 'mail' | 'draft';
  /** Path in the vault. */
  readonly path: string;
  readonly folder: MailFolder;
  readonly state: MailState;
  readonly isUrgent: boolean;
  /** Of a mail its sender, of a draft its recipients. */
  readonly who: string;
  readonly subject: string;
  /** When the mail came, or the draft was written. */
  readonly date?: string;
  /** The draft that answers this mail, or the mail that this draft answers. */
  readonly relatedId?: string;
  /** The Gmail id under which a draft left. */
  readonly sentId?: string;
  readonly attempts?: number;
  readonly lastError?: string;
  readonly nextTryAt?: string;
  /** What the model says it needs to know, or whom it would ask. */
  readonly question?: string;
  /** The mail that could not be delivered is the answer to this draft. */
  readonly hasBounced?: boolean;
  /** What is wrong with a note that is `unreadable`. */
  readonly problem?: string;
}

/** Why no mail is fetched or sent at the moment. */
export type MailroomState =
  /** The settings name no mail server. */
  | 'off'
  /** Nobody has said yet which mails to take: `begin`. */
  | 'first-start'
  /** Another machine does it for this vault; a person may take over: `take-over`. */
  | 'elsewhere'
  /** The settings leave it to workers. */
  | 'shared'
  | 'paused'
  /** Drafts are kept; approved mails leave after a new login. */
  | 'login-lost'
  /** The mail server or Gmail does not answer; it is tried again. */
  | 'unreachable'
  /** The disk of the vault is full or may only be read: nothing is fetched or sent until it can be written. */
  | 'unwritable'
  | 'running';

/** The mailroom at a glance. */
export interface MailBoard {
  readonly state: MailroomState;
  /** What the last failure was, for `login-lost`, `unreachable` and `unwritable`. */
  readonly problem?: string;
  /** The address of the mailbox, once it is known. */
  readonly mailbox?: string;
  /** The machine that fetches and sends, when it is another one. */
  readonly machine?: string;
  /** At the first start: how many unread mails there are, as far as they were counted. */
  readonly unread?: number;
  /** Whether there are more than were counted. */
  readonly hasMoreUnread?: boolean;
  readonly nextRoundAt?: string;
  readonly lastRound?: MailRound;
  readonly counts: {
    /** Wait for a person. */
    readonly waiting: number;
    /** Approved and not sent yet. */
    readonly leaving: number;
    /** Failed, stuck, unclear, unreadable or misplaced. */
    readonly wrong: number;
  };
  /** The notes of each folder, the most urgent and newest first; of Done only the latest. */
  readonly folders: Readonly<Record<MailFolder, readonly MailItem[]>>;
  /** How many notes Done has in all. */
  readonly doneCount: number;
}

/** What one round did. */
export interface MailRound {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly fetched: number;
  readonly decided: number;
  readonly sent: number;
  readonly failed: number;
  readonly isDryRun: boolean;
}

/** Exactly what would leave when a draft is approved. */
export interface OutgoingMail {
  readonly to: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly subject: string;
  readonly body: string;
  /** The Gmail id of the mail that is answered, whose thread it joins. */
  readonly replyToMessageId?: string;
}

/** A mail as its note has it: after the privacy gate. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly body: string;
  readonly attachments: readonly string[];
  /** What was taken out before anything was stored. */
  readonly redactions: readonly Redaction[];
}

/** A kind of secret that was taken out of a mail, and how often. */
export interface Redaction {
  readonly kind: 'password' | 'code' | 'card' | 'key' | 'link' | 'account';
  readonly count: number;
}

/** A mail and its draft side by side. Asked for either, both come. */
export interface MailDetails {
  readonly item: MailItem;
  readonly mail?: ReceivedMail & { readonly item: MailItem };
  readonly draft?: MailDraft;
  /** What a person wrote into the note of the mail below its text. */
  readonly notes?: string;
}

/** A draft as an app shows and approves it. */
export interface MailDraft {
  readonly item: MailItem;
  /** Missing when the draft cannot be sent as it is; `mistakes` says why. */
  readonly leaves?: OutgoingMail;
  readonly mistakes: readonly DraftMistake[];
  /** What stands in the note, as it was typed. */
  readonly written: WrittenDraft;
  /** Names this version of the draft: it goes with `approve` and `edit`, so that nobody approves what they did not see. */
  readonly seen: string;
  readonly draftedBy?: string;
  readonly approval?: 'expired' | 'changed';
}

/** What a person or a model wrote into a draft, whether it can be sent or not. */
export interface WrittenDraft {
  readonly to?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly subject?: string;
  readonly body: string;
  /** The lines at the top of a note whose frontmatter cannot be read. */
  readonly frontmatter?: string;
}

/** Why a draft cannot be sent. */
export interface DraftMistake {
  readonly field: 'to' | 'cc' | 'bcc' | 'subject' | 'body' | 'frontmatter';
  readonly code: 'missing' | 'invalid';
  /** What is wrong in it: an address of several, the line that cannot be read. */
  readonly text?: string;
}

/** Why a mail was treated as it was. */
export interface MailReasons {
  readonly item: MailItem;
  readonly decision?: MailDecision;
  readonly confidence?: number;
  readonly reasoning?: string;
  /** `provider:model`, `rule`, or `person`. */
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  /** How often the model was asked. */
  readonly iterations?: number;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly latencyMs?: number;
  /** Rules in code that changed or made the decision. */
  readonly rules: readonly MailRuleName[];
  /** The name or the place of the rule of the settings that decided. */
  readonly rule?: string;
  /** What was taken out before the model saw it. */
  readonly redactions: readonly Redaction[];
  /** Whether the model saw only a part of the text. */
  readonly isCut: boolean;
  readonly history: readonly MailLogEntry[];
}

/** What can be decided about a mail. */
export const mailDecisions = [
  'draft_reply',
  'archive',
  'needs_info',
  'urgent',
  'delegate',
] as const;

export type MailDecision = (typeof mailDecisions)[number];

/** Rules in code, above the model. */
export type MailRuleName =
  /** A mail about money is never archived. */
  | 'money'
  /** The model is not sure enough. */
  | 'confidence'
  /** A rule of the settings decided without a model. */
  | 'settings'
  /** A robot wrote it, or too many came from one sender: no reply is drafted. */
  | 'loop'
  /** It says that a mail of ours could not be delivered. */
  | 'bounce'
  /** There is nobody to reply to. */
  | 'no-sender';

/** A line of the logs, the newest first. */
export interface MailLogEntry {
  readonly timestamp: string;
  readonly event: string;
  readonly severity: 'INFO' | 'WARNING' | 'ERROR';
  readonly messageId?: string;
  readonly draftId?: string;
  readonly subject?: string;
  readonly text?: string;
}

/** What the mailroom tells programs on the vault, as the event of the service `mail`. */
export type MailEvent =
  /** Something on the board is different: ask for it again. At most a few in a second. */
  | { readonly kind: 'board-changed' }
  | {
      readonly kind:
        | 'mail-received'
        | 'mail-decided'
        | 'draft-written'
        | 'draft-approved'
        | 'draft-rejected'
        | 'mail-sent'
        | 'mail-failed'
        | 'draft-reminder';
      readonly item: MailItem;
    }
  | { readonly kind: 'round-ended'; readonly round: MailRound }
  | { readonly kind: 'state-changed'; readonly state: MailroomState };
