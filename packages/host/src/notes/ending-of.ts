import type { HostErrorCode } from '../host-error.ts';
import type { BlockOutcome } from './note-run.ts';

/** How a block ends that meets this failure. Nothing is written for any but `error` and `timeout`. */
export function endingOf(code: HostErrorCode): BlockOutcome['status'] {
  return endings[code] ?? 'error';
}

const endings: Readonly<Partial<Record<HostErrorCode, BlockOutcome['status']>>> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  stopped: 'cancelled',
  server_disabled: 'skipped',
  section_forbids: 'refused',
  session_limit: 'refused',
  untrusted: 'refused',
  output_edited: 'refused',
  note_changed: 'refused',
  note_unreadable: 'refused',
};
