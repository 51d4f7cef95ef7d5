import { type Host, NoteSessions } from '@errand/host';
import { sessionName } from '@errand/workspace/words';
import type { WorkbenchEvent } from '../../contract.ts';

/** What tools that are tried in Servers count against. */
export const triedTools = 'workbench';

/** Counts the calls of notes, of conversations and of this workbench, and tells the page. */
export function openNoteSessions(
  host: Pick<Host, 'sessions' | 'servers'>,
  feed: (event: WorkbenchEvent) => void,
): NoteSessions {
  return new NoteSessions(host, {
    others: [triedTools],
    onChange: (session) => feed({ kind: 'session-changed', session }),
    onNear: (use) =>
      feed({
        kind: 'notice',
        notice: {
          level: 'warning',
          message: `${use.executed} of ${use.limit} calls of ${sessionName(use) ?? 'this session'} are used`,
          detail: 'Reset the session in Calls, or raise its limit in Settings, to make more.',
          server: null,
        },
      }),
  });
}
