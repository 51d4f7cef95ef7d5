export type {
  MailBoard,
  MailDetails,
  MailDraft,
  MailFolder,
  MailItem,
  MailReasons,
  OutgoingMail,
} from '@errand/mailroom';

/** How many notes of the mailroom need somebody. */
export interface MailCounts {
  readonly waiting: number;
  readonly wrong: number;
}
