import { Button } from '../parts/button.tsx';
import type { OpenConversation } from './model/open-conversation.ts';
import './waiting.css';

export interface WaitingProps {
  readonly opened: OpenConversation;
  readonly list: { readonly current: HTMLElement | null };
}

/** Points to an approval that may be scrolled out of view. */
export function Waiting({ opened, list }: WaitingProps) {
  const waiting = opened.waiting.value.length;
  const look = () => {
    const first = list.current?.querySelector<HTMLElement>('.approval button');
    first?.focus();
    first?.closest('.call-card')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div role="status">
      {waiting > 0 && (
        <p class="waiting small">
          <span>
            {waiting === 1 ? 'A call needs approval.' : `${waiting} calls need approval.`}
          </span>
          <Button isSmall onClick={look}>
            Look at it
          </Button>
        </p>
      )}
    </div>
  );
}
