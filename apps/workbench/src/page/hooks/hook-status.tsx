import { Badge } from '@errand/parts/controls';
import type { HookView } from '../../contract.ts';
import { hookState } from './hook-state.ts';

/** The state of a hook and what keeps it from running. */
export function HookStatus({ view }: { readonly view: HookView }) {
  const { label, tone, isLive = false, reason } = hookState(view);
  const meant = view.faults.flatMap(({ advice }) =>
    advice.flatMap((each) => (each.kind === 'update-hook' && each.meant ? [each.meant] : [])),
  );
  return (
    <div class="hook-status">
      <p>
        <Badge tone={tone} isLive={isLive}>
          {label}
        </Badge>
      </p>
      {reason && <p class="small soft">{reason}</p>}
      {meant.length > 0 && <p class="small soft">{`Did you mean ${meant.join(', ')}?`}</p>}
    </div>
  );
}
