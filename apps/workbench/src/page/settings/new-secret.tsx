import { useState } from 'preact/hooks';
import type { SecretList } from '../../contract.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { SecretValue } from './secret-value.tsx';

export interface NewSecretProps {
  readonly taken: readonly string[];
  readonly onChanged: (secrets: SecretList) => void;
}

/** A form for a new secret. */
export function NewSecret({ taken, onChanged }: NewSecretProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  if (!isOpen) {
    return (
      <p>
        <Button icon="add" onClick={() => setOpen(true)}>
          Add a secret
        </Button>
      </p>
    );
  }
  const isTaken = taken.includes(name);
  const error = isTaken ? 'A secret with this name exists: saving replaces it.' : undefined;
  const close = () => {
    setOpen(false);
    setName('');
  };
  return (
    <div class="new-secret">
      <Field
        label="Name"
        hint="Letters, digits, “.”, “-” and “_”, for example crm-key."
        error={error}
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellcheck={false}
            value={name}
            onInput={(event) => setName(event.currentTarget.value.trim())}
          />
        )}
      </Field>
      <SecretValue
        name={name}
        onCancel={close}
        onSaved={(secrets) => {
          close();
          onChanged(secrets);
        }}
      />
    </div>
  );
}
