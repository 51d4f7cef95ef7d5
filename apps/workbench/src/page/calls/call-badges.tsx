import { Badge } from '@errand/parts/controls';
import type { ActiveCall } from '../../contract.ts';
import { outcomes } from './call-labels.ts';

/** Shows whether a call is running or queued. */
export function ActiveBadge({ call }: { readonly call: ActiveCall }) {
  const isRunning = call.status === 'executing';
  return (
    <Badge tone={isRunning ? 'accent' : 'neutral'} isLive={isRunning}>
      {isRunning ? 'Running' : 'Waiting'}
    </Badge>
  );
}

/** Shows the outcome of a past call. */
export function OutcomeBadge({ status }: { readonly status: string }) {
  const { label, tone } = outcomes[status] ?? { label: status, tone: 'neutral' };
  return <Badge tone={tone}>{label}</Badge>;
}
