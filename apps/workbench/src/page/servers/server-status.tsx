import { Badge } from '@errand/parts/controls';
import { describeServerState } from '@errand/workspace/servers';
import type { Server } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { Countdown } from '../parts/time.tsx';
import './server-status.css';

/** The state of a server, its reason, and the next attempt. */
export function ServerStatus({ server }: { readonly server: Server }) {
  const { nextRetryAt } = server.retryState;
  const { label, tone, isLive, reason } = describeServerState(server, {
    say: inPage,
    failedTest: server.test?.error ? inPage(server.test.error) : undefined,
  });
  return (
    <div class="server-status">
      <p class="server-state">
        <Badge tone={tone} isLive={isLive}>
          {label}
        </Badge>
        {nextRetryAt !== undefined && (
          <span class="small soft">
            next attempt <Countdown until={nextRetryAt} />
          </span>
        )}
      </p>
      {reason && <p class="server-reason small soft">{reason}</p>}
    </div>
  );
}
