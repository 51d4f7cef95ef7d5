import { useState } from 'preact/hooks';
import type { TurnCall } from '../../contract.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import './approval.css';

export interface ApprovalProps {
  readonly call: TurnCall;
  readonly onAnswer: (call: string, isAllowed: boolean) => Promise<void>;
}

/** Asks a person whether a model may make a call. */
export function Approval({ call, onAnswer }: ApprovalProps) {
  const [isBusy, setBusy] = useState(false);
  const { id, server, tool, approval } = call;
  const answer = async (isAllowed: boolean) => {
    setBusy(true);
    await onAnswer(id, isAllowed);
    setBusy(false);
  };
  return (
    <fieldset class="approval" aria-label={`May it call ${server} ${tool}?`}>
      <p>
        <strong>May it do this?</strong>{' '}
        {approval?.isDestructive ? (
          <Badge tone="bad">May destroy something</Badge>
        ) : (
          <Badge tone="warn">Changes something</Badge>
        )}
      </p>
      {approval?.description && (
        <p class="small">
          <span class="soft">{server} says of it: </span>
          {approval.description}
        </p>
      )}
      <div class="approval-actions">
        <Button
          look={approval?.isDestructive ? 'danger' : 'primary'}
          isBusy={isBusy}
          onClick={() => void answer(true)}
        >
          Allow
        </Button>
        <Button isBusy={isBusy} onClick={() => void answer(false)}>
          Do not allow
        </Button>
      </div>
    </fieldset>
  );
}
