import { describeProgress } from '@errand/workspace/text';
import type { Progress } from '../../../contract.ts';
import './progress-bar.css';

/** How far a call is, as its server reports it. */
export function ProgressBar(made: Progress) {
  const { progress, total } = made;
  return (
    <p class="call-progress small">
      <progress
        aria-label="Progress"
        {...(total !== undefined && { max: total, value: Math.min(progress, total) })}
      />
      <span class="soft">{describeProgress(made)}</span>
    </p>
  );
}
