import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { MailItem } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';

export interface UnclearDraftProps {
  readonly item: MailItem;
  readonly onChanged: () => Promise<void>;
}

/** Asks what a person found out about a mail of which nobody knows whether it left. */
export function UnclearDraft({ item: { id }, onChanged }: UnclearDraftProps) {
  const model = useWorkbench();
  const [busy, setBusy] = useState<'was-sent' | 'send'>();
  const [isAsking, setAsking] = useState(false);
  const settle = async (outcome: 'was-sent' | 'send') => {
    setBusy(outcome);
    setAsking(false);
    await model.attempt(() => api.mail.settle.$post({ json: { id, outcome } }));
    await onChanged();
    setBusy(undefined);
  };
  return (
    <div class="mail-actions">
      <Button look="primary" isBusy={busy === 'was-sent'} onClick={() => void settle('was-sent')}>
        It was sent
      </Button>
      <Button isBusy={busy === 'send'} onClick={() => setAsking(true)}>
        Send it …
      </Button>
      {isAsking && (
        <Dialog
          title="Send it now?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Not now</Button>
              <Button look="danger" onClick={() => void settle('send')}>
                Send it
              </Button>
            </>
          }
        >
          <p>
            If it left before, the recipient gets it twice. Look into the folder of sent mail first.
          </p>
        </Dialog>
      )}
    </div>
  );
}
