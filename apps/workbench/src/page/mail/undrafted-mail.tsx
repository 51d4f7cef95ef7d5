import { Button, Field } from '@errand/parts/controls';
import { explainMailItem } from '@errand/workspace/mail';
import { useState } from 'preact/hooks';
import type { MailItem } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { moveTo } from './mail-order.ts';
import { keepAnswer, unsavedAnswer } from './unsaved-drafts.ts';

export interface UndraftedMailProps {
  readonly item: MailItem;
  readonly onReject: () => void;
  readonly onChanged: () => Promise<void>;
}

/** What can be done with a note that has no draft. */
export function UndraftedMail({ item, onReject, onChanged }: UndraftedMailProps) {
  const model = useWorkbench();
  const note = unsavedAnswer(item.id);
  const [isBusy, setBusy] = useState(false);
  const explained = explainMailItem(item);
  const canClose = moveTo(item, 'Done') === 'reject';
  const retry = async () => {
    setBusy(true);
    const told = note.trim();
    const json = { id: item.id, ...(told !== '' && { note: told }) };
    const isTaken = await model.attempt(() => api.mail.retry.$post({ json }));
    if (isTaken !== undefined) keepAnswer(item.id, '');
    await onChanged();
    setBusy(false);
  };
  if (explained === undefined && !canClose) return null;
  return (
    <section class="panel mail-undrafted" aria-labelledby="mail-undrafted">
      <h2 id="mail-undrafted">{titleOf(item)}</h2>
      {explained !== undefined && <p>{explained}</p>}
      {canClose && (
        <>
          <Field
            label="What the model should know"
            hint="It decides again, with this. It still sends nothing without you."
          >
            {(control) => (
              <textarea
                {...control}
                rows={3}
                value={note}
                onInput={(event) => keepAnswer(item.id, event.currentTarget.value)}
              />
            )}
          </Field>
          <div class="mail-actions">
            <Button isBusy={isBusy} onClick={() => void retry()}>
              Decide again
            </Button>
            <Button onClick={onReject}>No answer needed</Button>
          </div>
        </>
      )}
      {!canClose && <a href={hrefTo('notes', item.path)}>Open the note</a>}
    </section>
  );
}

function titleOf({ state, question }: MailItem): string {
  const isAsked = state !== 'needs-info' || question !== undefined;
  return (isAsked && titles[state]) || 'No reply';
}

const titles: Readonly<Partial<Record<MailItem['state'], string>>> = {
  'needs-info': 'What the model asks',
  delegated: 'For somebody else',
  failed: 'No decision',
  new: 'Not decided yet',
  unreadable: 'This note cannot be read',
  misplaced: 'This note is in the wrong folder',
};
