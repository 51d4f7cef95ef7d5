import type { ContainedRoot } from '@errand/files';
import type { GmailApi } from './api/gmail-api.ts';
import type { MailLabels } from './api/mail-labels.ts';
import type { MessageReader } from './mime/message-reader.ts';
import type { Recipients } from './sending/recipients.ts';
import type { Sender } from './sending/sender.ts';

/** What the tools of one mailbox share. */
export interface GmailContext {
  readonly api: GmailApi;
  readonly reader: MessageReader;
  readonly labels: MailLabels;
  readonly sender: Sender;
  readonly recipients: Recipients;
  /** Where audit lines go. */
  readonly audit: { readonly root: ContainedRoot; readonly folders: readonly string[] };
  /** Where attachments go; absent without a vault. */
  readonly attachments:
    | { readonly root: ContainedRoot; readonly folders: readonly string[] }
    | undefined;
  readonly now: () => number;
  /** Hears of every failure that a tool reports. */
  failed(error: unknown): void;
}
