import { oneLine } from '@errand/host';
import { Badge, Button } from '@errand/parts/controls';
import { describeDraftMistake, explainMailItem } from '@errand/workspace/mail';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MailDraft } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { keepFocus } from '../parts/focus-heading.ts';
import { DraftEditor } from './draft-editor.tsx';
import { DraftText } from './draft-text.tsx';
import { MailLabels } from './mail-labels.tsx';
import { type MailMove, moveTo } from './mail-order.ts';
import { UnclearDraft } from './unclear-draft.tsx';
import { unsavedDraft } from './unsaved-drafts.ts';

export interface DraftViewProps {
  readonly draft: MailDraft;
  readonly isEditing: boolean;
  readonly canEdit: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onAsk: (kind: MailMove) => void;
  readonly onChanged: () => Promise<void>;
}

/** A draft as it would leave, edited in place. */
export function DraftView(props: DraftViewProps) {
  const { draft, isEditing, canEdit, onEdit, onAsk, onChanged } = props;
  const { item, draftedBy } = draft;
  const isUnsaved = unsavedDraft(item.id) !== undefined;
  const wasEditing = useRef(isEditing);
  useLayoutEffect(() => {
    // The field that had the focus is gone.
    if (wasEditing.current && !isEditing && document.activeElement === document.body)
      keepFocus('#mail-draft');
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <section class="panel mail-draft" aria-labelledby="mail-draft">
      <header>
        <h2 id="mail-draft">Reply</h2>
        <MailLabels item={item} />
        {isUnsaved && !isEditing && <Badge tone="warn">Unsaved changes</Badge>}
      </header>
      <Problems draft={draft} />
      {item.state === 'unclear' && <UnclearDraft item={item} onChanged={onChanged} />}
      {isEditing && canEdit ? (
        <DraftEditor draft={draft} onClose={() => onEdit(false)} onChanged={onChanged} />
      ) : (
        <>
          <DraftText draft={draft} />
          <div class="mail-actions">
            {moveTo(item, 'Approved') === 'approve' && (
              <Button look="primary" icon="check" onClick={() => onAsk('approve')}>
                Approve …
              </Button>
            )}
            {canEdit && (
              <Button icon="edit" onClick={() => onEdit(true)}>
                Edit
              </Button>
            )}
            {moveTo(item, 'Drafts') === 'withdraw' && (
              <Button onClick={() => onAsk('withdraw')}>Withdraw</Button>
            )}
            {['retrying', 'stuck'].includes(item.state) && <TryNow {...props} />}
            {moveTo(item, 'Done') === 'reject' && (
              <Button onClick={() => onAsk('reject')}>Reject …</Button>
            )}
          </div>
        </>
      )}
      <p class="small soft">
        {draftedBy !== undefined && `Drafted by ${oneLine(draftedBy, 100)}. `}
        <a href={hrefTo('notes', item.path)}>Open the note</a>
      </p>
    </section>
  );
}

function Problems({ draft }: { readonly draft: MailDraft }) {
  const explained = explainMailItem(draft.item);
  const mistakes = draft.item.folder === 'Done' ? [] : draft.mistakes.map(describeDraftMistake);
  return (
    <>
      {explained !== undefined && <p class="mail-banner">{oneLine(explained, 1_000)}</p>}
      {mistakes.map((mistake) => (
        <p key={mistake} class="field-error">
          {mistake}
        </p>
      ))}
    </>
  );
}

function TryNow({ draft: { item }, onChanged }: DraftViewProps) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await model.attempt(() => api.mail.retry.$post({ json: { id: item.id } }));
    await onChanged();
    setBusy(false);
  };
  return (
    <Button icon="redo" isBusy={isBusy} onClick={() => void retry()}>
      Try now
    </Button>
  );
}
