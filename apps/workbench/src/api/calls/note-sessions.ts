import { type Host, NoteSessions } from '@errand/host';
import type { WorkbenchEvent } from '../../contract.ts';

/** What tools that are tried in Servers count against. */
export const triedTools = 'workbench';

/** Counts the calls of notes and of this workbench, and tells the page. */
export function openNoteSessions(
  host: Pick<Host, 'sessions' | 'servers'>,
  feed: (event: WorkbenchEvent) => void,
): NoteSessions {
  return new NoteSessions(host, {
    others: [triedTools],
    onChange: (session) => feed({ kind: 'session-changed', session }),
    onNear: ({ executed, limit, note }) =>
      feed({
        kind: 'notice',
        notice: {
          level: 'warning',
          message: `${executed} of ${limit} calls of ${note ?? 'this session'} are used`,
          detail: 'Reset the session in Calls, or raise its limit in Settings, to make more.',
          server: null,
        },
      }),
  });
}
