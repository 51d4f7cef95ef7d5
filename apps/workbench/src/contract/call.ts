import type { SessionUse } from '@errand/host';
import type { PastCall } from '@errand/workspace/activity';
import type { CallContent } from './tool.ts';

export type { Progress } from '@errand/host';
export type { ActiveCall, ActivitySnapshot, PastCall } from '@errand/workspace/activity';

export type Session = SessionUse;

export interface CallDetails {
  readonly call: PastCall;
  /** Kept in memory for recent calls only; null for older ones. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly content: CallContent | null;
}
