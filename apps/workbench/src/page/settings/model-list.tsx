import { Button } from '@errand/parts/controls';
import type { AssistantDraft } from '@errand/workspace/settings';
import { useState } from 'preact/hooks';
import type { Assistant } from '../../contract.ts';
import { LazyModelForm } from '../assistant/lazy-model-form.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keepFocus } from '../parts/focus-heading.ts';

type Doing =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly draft: AssistantDraft }
  | { readonly kind: 'remove'; readonly name: string };

/** The language models of the settings; the first is asked when none is chosen. */
export function ModelList() {
  const workbench = useWorkbench();
  const [doing, setDoing] = useState<Doing>();
  const assistants = workbench.state.value?.assistant.assistants ?? [];
  const close = () => {
    setDoing(undefined);
    keepFocus('#models-title');
  };
  const edit = async (name: string) => {
    const found = await workbench.attempt(() =>
      api.assistant.entry[':name'].$get({ param: { name } }),
    );
    if (found !== undefined) setDoing({ kind: 'edit', draft: found.draft });
  };
  return (
    <section class="panel" aria-labelledby="models-title">
      <header class="panel-head">
        <h2 id="models-title">Language models</h2>
      </header>
      {assistants.length > 0 && (
        <ul class="secret-list">
          {assistants.map((assistant) => (
            <ModelRow
              key={assistant.name}
              assistant={assistant}
              onEdit={() => void edit(assistant.name)}
              onRemove={() => setDoing({ kind: 'remove', name: assistant.name })}
            />
          ))}
        </ul>
      )}
      <p>
        <Button icon="add" onClick={() => setDoing({ kind: 'add' })}>
          Add a model
        </Button>
      </p>
      {doing?.kind === 'remove' && <RemoveModel name={doing.name} onClose={close} />}
      {(doing?.kind === 'add' || doing?.kind === 'edit') && (
        <Dialog
          title={doing.kind === 'add' ? 'Add a model' : `Edit ${doing.draft.name}`}
          onClose={close}
        >
          <LazyModelForm
            onStored={close}
            onCancel={close}
            {...(doing.kind === 'edit' && { stored: doing.draft })}
          />
        </Dialog>
      )}
    </section>
  );
}

interface ModelRowProps {
  readonly assistant: Assistant;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ModelRow({ assistant: { name, model, sendsTo }, onEdit, onRemove }: ModelRowProps) {
  return (
    <li>
      <span>
        <strong>{name}</strong>{' '}
        <span class="small soft">
          {model} at {sendsTo}
        </span>
      </span>
      <span class="secret-actions">
        <Button isSmall onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <Button isSmall look="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </span>
    </li>
  );
}

function RemoveModel({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const workbench = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const left = await workbench.attempt(() =>
      api.assistant.entry[':name'].$delete({ param: { name } }),
    );
    if (left) workbench.apply({ kind: 'assistants-changed', assistants: left.assistants });
    setBusy(false);
    onClose();
  };
  return (
    <Dialog
      title={`Remove ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" icon="remove" isBusy={isBusy} onClick={() => void remove()}>
            Remove
          </Button>
        </>
      }
    >
      <p>
        Its entry is removed from the settings. Conversations in notes stay, and so does its key.
      </p>
    </Dialog>
  );
}
