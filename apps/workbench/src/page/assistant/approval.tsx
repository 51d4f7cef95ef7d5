import { foreignName } from '@errand/host';
import { Badge, Button } from '@errand/parts/controls';
import { approvalReasons } from '@errand/workspace/text';
import { useRef, useState } from 'preact/hooks';
import type { TurnCall } from '../../contract.ts';
import { FromServer } from '../parts/from-server.tsx';
import './approval.css';

export interface ApprovalProps {
  readonly call: TurnCall;
  readonly onAnswer: (call: string, isAllowed: boolean) => Promise<void>;
}

/** Asks a person whether a model may make a call. */
export function Approval({ call, onAnswer }: ApprovalProps) {
  const [isBusy, setBusy] = useState(false);
  const { id, server, tool, approval } = call;
  const own = useRef<HTMLFieldSetElement>(null);
  const answer = async (isAllowed: boolean, { detail }: MouseEvent) => {
    if (detail === 0) leave(own.current);
    setBusy(true);
    await onAnswer(id, isAllowed);
    setBusy(false);
  };
  return (
    <fieldset ref={own} class="approval" aria-label={`Allow ${server} ${foreignName(tool)}?`}>
      <p>
        <strong>Allow this call?</strong>{' '}
        {approval?.isDestructive ? (
          <Badge tone="bad">Destructive</Badge>
        ) : (
          <Badge tone="warn">
            {approval?.because === 'writes' ? 'Makes changes' : 'Claims to be read-only'}
          </Badge>
        )}
      </p>
      {approval && approval.because !== 'writes' && (
        <p class="small">{approvalReasons[approval.because]}</p>
      )}
      {approval?.description && (
        <FromServer server={server ?? ''} does="says of it" text={approval.description} />
      )}
      <div class="approval-actions">
        <Button
          look={approval?.isDestructive ? 'danger' : 'primary'}
          isBusy={isBusy}
          onClick={(event) => void answer(true, event)}
        >
          Allow
        </Button>
        <Button isBusy={isBusy} onClick={(event) => void answer(false, event)}>
          Do not allow
        </Button>
      </div>
    </fieldset>
  );
}

/** The pressed button disappears: move the focus to the next approval, or to the composer. */
function leave(own: HTMLElement | null): void {
  const pane = own?.closest('.conversation');
  const buttons = [...(pane?.querySelectorAll<HTMLElement>('.approval button') ?? [])];
  const next = buttons.find((button) => !own?.contains(button));
  (next ?? pane?.querySelector<HTMLElement>('textarea'))?.focus();
}
