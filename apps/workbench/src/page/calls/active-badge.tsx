import type { ActiveCall } from '../../contract.ts';
import { Badge } from '../parts/badge.tsx';

/** Whether a call runs or waits for its turn. */
export function ActiveBadge({ call }: { readonly call: ActiveCall }) {
  const isRunning = call.status === 'executing';
  return (
    <Badge tone={isRunning ? 'accent' : 'neutral'} isLive={isRunning}>
      {isRunning ? 'Running' : 'Waiting'}
    </Badge>
  );
}
