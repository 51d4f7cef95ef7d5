import { Button, Field } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Failure, MailItem } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { subjectOf } from './mail-card.tsx';
import { keepAnswer, keepUnsaved, unsavedAnswer, unsavedDraft } from './unsaved-drafts.ts';

export interface RejectDialogProps {
  readonly item: MailItem;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a draft is rejected or a mail is closed without an answer. */
export function RejectDialog({ item, onClose, onDone }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const isDraft = item.kind === 'draft';
  const isUnsaved = unsavedDraft(item.id) !== undefined || unsavedAnswer(item.id) !== '';
  const reject = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const given = reason.trim();
      await api.mail.reject.$post({
        json: { id: item.id, ...(given !== '' && { reason: given }) },
      });
      keepUnsaved(item.id, undefined);
      keepAnswer(item.id, '');
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={isDraft ? 'Reject this draft?' : 'Close this mail without an answer?'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" isBusy={isBusy} onClick={() => void reject()}>
            {isDraft ? 'Reject' : 'Close it'}
          </Button>
        </>
      }
    >
      <p>
        <strong>{subjectOf(item.subject)}</strong>
      </p>
      <p>{isDraft ? 'It is moved to Done and never sent.' : 'Its note is moved to Done.'}</p>
      {isDraft && item.relatedId !== undefined && (
        <p>The mail that it answers waits for you in Needs action.</p>
      )}
      {isUnsaved && <p class="mail-banner">What you typed and did not save is dropped.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void reject();
        }}
      >
        <Field label="Reason" hint="Kept in the log. You can leave it empty.">
          {(control) => (
            <input
              {...control}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}
