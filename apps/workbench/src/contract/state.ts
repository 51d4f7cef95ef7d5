import type { AssistantState } from './assistant.ts';
import type { ActivitySnapshot } from './call.ts';
import type { Question } from './event.ts';
import type { MailCounts } from './mail.ts';
import type { Server } from './server.ts';
import type { SettingsState } from './settings.ts';
import type { TrustState } from './trust.ts';

export interface WorkbenchState {
  /** Where the event stream continues: /events?after=SEQUENCE. */
  readonly sequence: string;
  readonly version: string;
  readonly vault: { readonly name: string; readonly folder: string };
  /** The address at which other programs reach all servers as one, and the token they must send. */
  readonly gateway: { readonly url: string; readonly token: string | null };
  readonly servers: readonly Server[];
  readonly trust: TrustState;
  readonly calls: ActivitySnapshot;
  readonly assistant: AssistantState;
  /** Null while nothing was heard of a mailroom. */
  readonly mail: MailCounts | null;
  readonly settings: SettingsState;
  readonly questions: readonly Question[];
}
