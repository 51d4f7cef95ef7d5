import type { Server } from '../../contract.ts';
import { Badge } from '../parts/badge.tsx';
import { Countdown } from '../parts/time.tsx';
import './server-status.css';
import { describeState } from './server-words.ts';

/** How a server is, why, and when it is tried next. */
export function ServerStatus({ server }: { readonly server: Server }) {
  const { state, tone, isLive, reason } = describeState(server);
  return (
    <div class="server-status">
      <p class="server-state">
        <Badge tone={tone} isLive={isLive}>
          {state}
        </Badge>
        {server.nextRetryAt !== null && (
          <span class="small soft">
            next try <Countdown until={server.nextRetryAt} />
          </span>
        )}
      </p>
      {reason && <p class="server-reason small soft">{reason}</p>}
    </div>
  );
}
