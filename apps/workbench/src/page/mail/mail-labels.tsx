import { Badge, type Tone } from '@errand/parts/controls';
import { mailStateLabels } from '@errand/workspace/mail';
import type { MailItem } from '../../contract.ts';
import { Countdown } from '../parts/time.tsx';

const tones: Readonly<Record<MailItem['state'], Tone>> = {
  new: 'neutral',
  'needs-info': 'warn',
  delegated: 'warn',
  answered: 'neutral',
  failed: 'bad',
  waiting: 'accent',
  expired: 'warn',
  changed: 'warn',
  approved: 'good',
  retrying: 'warn',
  stuck: 'bad',
  unclear: 'bad',
  sent: 'good',
  archived: 'neutral',
  rejected: 'neutral',
  done: 'neutral',
  unreadable: 'bad',
  misplaced: 'bad',
};

/** The state of a note in words. */
export function MailLabels({ item }: { readonly item: MailItem }) {
  const { state, hasBounced, isUrgent, nextTryAt } = item;
  const label = mailStateLabels[state];
  const nextTry = Date.parse(nextTryAt ?? '');
  return (
    <p class="mail-labels small">
      {isUrgent && <Badge tone="bad">Urgent</Badge>}
      {hasBounced && <Badge tone="bad">Came back undelivered</Badge>}
      <Badge tone={tones[state]}>{label.charAt(0).toUpperCase() + label.slice(1)}</Badge>
      {!Number.isNaN(nextTry) && state === 'retrying' && (
        <span class="soft">
          <Countdown until={nextTry} />
        </span>
      )}
    </p>
  );
}
