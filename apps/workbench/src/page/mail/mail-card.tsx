import { oneLine } from '@errand/host';
import { Button } from '@errand/parts/controls';
import { explainMailItem } from '@errand/workspace/mail';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MailItem } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { keepFocus } from '../parts/focus-heading.ts';
import { MailLabels } from './mail-labels.tsx';
import { type MailMove, moveTo } from './mail-order.ts';
import { MailTime } from './mail-time.tsx';

export interface MailCardProps {
  readonly item: MailItem;
  readonly onAsk: (kind: MailMove) => void;
  readonly onDrag: (isDragged: boolean) => void;
}

/** A note on the board. */
export function MailCard({ item, onAsk, onDrag }: MailCardProps) {
  const { id, kind, who, subject, date, isUrgent, folder, state } = item;
  const about = ['needs-info', 'delegated'].includes(state) ? explainMailItem(item) : undefined;
  const name = subjectOf(subject);
  const canMove = folder !== 'Done';
  const card = useRef<HTMLLIElement>(null);
  useLayoutEffect(
    () => () => {
      // The note has left the column, and takes the focus with it.
      if (card.current?.contains(document.activeElement)) keepFocus(`#mail-${folder}`);
    },
    [folder],
  );
  return (
    <li
      ref={card}
      class={isUrgent ? 'mail-card is-urgent' : 'mail-card'}
      draggable={canMove}
      onDragStart={(event) => {
        // Firefox starts no drag without data.
        event.dataTransfer?.setData('text/plain', name);
        onDrag(true);
      }}
      onDragEnd={() => onDrag(false)}
    >
      <p class="mail-card-who small">
        <span>{`${kind === 'draft' ? 'To ' : ''}${oneLine(who, 80) || 'nobody'}`}</span>
        <MailTime at={date} />
      </p>
      <h3>
        <a href={hrefTo('mail', id)} draggable={false}>
          {name}
        </a>
      </h3>
      <MailLabels item={item} />
      {about !== undefined && <p class="small soft mail-card-question">{oneLine(about, 140)}</p>}
      {canMove && (
        <div class="mail-card-actions">
          {folder === 'Drafts' && moveTo(item, 'Approved') && (
            <Button
              isSmall
              look="primary"
              aria-label={`Approve ${name}`}
              onClick={() => onAsk('approve')}
            >
              Approve
            </Button>
          )}
          {folder === 'Approved' && moveTo(item, 'Drafts') && (
            <Button isSmall aria-label={`Withdraw ${name}`} onClick={() => onAsk('withdraw')}>
              Withdraw
            </Button>
          )}
          {folder === 'Drafts' && moveTo(item, 'Done') && (
            <Button isSmall aria-label={`Reject ${name}`} onClick={() => onAsk('reject')}>
              Reject
            </Button>
          )}
          {folder === 'Needs_Action' && item.state !== 'answered' && moveTo(item, 'Done') && (
            <Button isSmall aria-label={`Close ${name}`} onClick={() => onAsk('reject')}>
              No answer needed
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** A subject for a list: strangers write anything there. */
export function subjectOf(subject: string): string {
  return oneLine(subject.trim(), 120) || '(no subject)';
}
