import type { HookRun } from '@errand/hooks';
import type { Time } from './time.ts';

export type {
  HookOptions,
  HookPreview,
  HookProblem,
  HookReasons,
  HookRun,
  HookView,
} from '@errand/hooks';

/** A run of a hook as a list shows it. */
export interface HookRunBrief {
  readonly id: string;
  readonly hookId: string;
  readonly hookName: string;
  readonly status: HookRun['status'];
  /** What made it run. */
  readonly event: string;
  readonly startedAt: Time;
  readonly endedAt: Time | null;
  /** Why it is not a success. */
  readonly message: string | null;
}
