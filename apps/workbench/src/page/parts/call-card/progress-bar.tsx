import type { Progress } from '../../../contract.ts';

/** How far a call is, as its server reports it. */
export function ProgressBar({ progress, total, message }: Progress) {
  return (
    <p class="call-progress small">
      <progress
        aria-label="Progress"
        {...(total !== undefined && { max: total, value: Math.min(progress, total) })}
      />
      <span class="soft">
        {message ?? (total === undefined ? progress : `${progress} of ${total}`)}
      </span>
    </p>
  );
}
