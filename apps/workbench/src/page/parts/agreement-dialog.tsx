import { Badge, Button, CheckField } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../../contract.ts';
import { failureOf } from '../model/api.ts';
import { Dialog } from './dialog.tsx';
import './agreement-dialog.css';

export interface AgreementItem {
  /** Changes with what is agreed to: an item that changes meanwhile must be confirmed again. */
  readonly key: string;
  readonly name: string;
  /** How it differs from what was agreed to before. */
  readonly warning?: string | undefined;
  readonly effects: ComponentChildren;
}

export interface AgreementDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly items: readonly AgreementItem[];
  readonly onClose: () => void;
  /** Called with the keys of the chosen items; a rejection is shown and leaves the dialog open. */
  readonly agree: (keys: ReadonlySet<string>) => Promise<void>;
}

/** Shows what strangers' servers or hooks would do, and asks which of them may (D17). */
export function AgreementDialog({ title, children, items, onClose, agree }: AgreementDialogProps) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const chosen = new Set(items.map(({ key }) => key).filter((key) => checked.has(key)));
  const send = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await agree(chosen);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={chosen.size === 0}
            onClick={() => void send()}
          >
            Agree to selected
          </Button>
        </>
      }
    >
      {children}
      <ul class="agreement-list">
        {items.map(({ key, name, warning, effects }) => (
          <li key={key}>
            <CheckField
              label={
                <span class="agreement-name">
                  <strong>{name}</strong>
                  {warning !== undefined && <Badge tone="warn">{warning}</Badge>}
                </span>
              }
              hint={effects}
              isChecked={checked.has(key)}
              onChange={(isChecked) => {
                const others = [...checked].filter((other) => other !== key);
                setChecked(new Set(isChecked ? [...others, key] : others));
              }}
            />
          </li>
        ))}
      </ul>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}
