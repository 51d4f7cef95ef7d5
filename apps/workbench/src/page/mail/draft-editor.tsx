import { Button, Field } from '@errand/parts/controls';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure, MailDraft } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { DraftText } from './draft-text.tsx';
import { type DraftFields, keepUnsaved, unsavedDraft } from './unsaved-drafts.ts';

export interface DraftEditorProps {
  readonly draft: MailDraft;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

/** The fields of a draft, changed in place. What is typed stays until it is saved or dropped. */
export function DraftEditor({ draft, onClose, onChanged }: DraftEditorProps) {
  const { id } = draft.item;
  const stored = fieldsOf(draft);
  const { fields, seen } = unsavedDraft(id) ?? { fields: stored, seen: draft.seen };
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const body = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => body.current?.focus(), []);
  // A save of one's own is no news.
  const isNewer = !isBusy && seen !== draft.seen;
  const set = (change: Partial<DraftFields>) =>
    keepUnsaved(id, { fields: { ...fields, ...change }, seen });
  const keepMine = () => {
    keepUnsaved(id, { fields, seen: draft.seen });
    // The button that was pressed goes away.
    body.current?.focus();
  };
  const close = () => {
    keepUnsaved(id, undefined);
    onClose();
  };
  const save = async () => {
    if (isBusy || isNewer) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await api.mail.edit.$post({ json: { id, seen, ...changes(stored, fields) } });
      await onChanged();
      close();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
      await onChanged();
    }
  };
  return (
    <form
      class="mail-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        else if (event.key === 'Escape') onClose();
        else return;
        event.preventDefault();
      }}
    >
      {isNewer && (
        <div class="mail-banner" role="alert">
          <p>
            <strong>Somebody changed this draft meanwhile.</strong> Your text is kept here.
          </p>
          <details>
            <summary>Their version</summary>
            <DraftText draft={draft} />
          </details>
          <div class="mail-banner-actions">
            <Button isSmall onClick={close}>
              Use theirs
            </Button>
            <Button isSmall onClick={keepMine}>
              Keep mine
            </Button>
          </div>
        </div>
      )}
      <Line label="To" value={fields.to} onInput={(to) => set({ to })} />
      <Line label="Cc" value={fields.cc} onInput={(cc) => set({ cc })} />
      <Line label="Bcc" value={fields.bcc} onInput={(bcc) => set({ bcc })} />
      <Line label="Subject" value={fields.subject} onInput={(subject) => set({ subject })} />
      <Field label="Text">
        {(control) => (
          <textarea
            {...control}
            ref={body}
            rows={12}
            value={fields.body}
            onInput={(event) => set({ body: event.currentTarget.value })}
          />
        )}
      </Field>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
      <div class="mail-actions">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={isNewer}>
          Save
        </Button>
        <Button onClick={close}>Drop the changes</Button>
        <span class="small soft mail-editor-keys">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
        </span>
      </div>
    </form>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Line({ label, value, onInput }: LineProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          value={value}
          spellcheck={label === 'Subject'}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function fieldsOf({ leaves, written }: MailDraft): DraftFields {
  const { to = '', cc = '', bcc = '', subject = '', body } = leaves ?? written;
  return { to, cc, bcc, subject, body };
}

/** Only what is different is written. */
function changes(stored: DraftFields, fields: DraftFields): Partial<DraftFields> {
  const names = ['to', 'cc', 'bcc', 'subject', 'body'] as const;
  return Object.fromEntries(
    names.filter((name) => stored[name] !== fields[name]).map((name) => [name, fields[name]]),
  );
}
