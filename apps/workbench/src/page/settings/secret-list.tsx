import { Button, Field } from '@errand/parts/controls';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, SecretList as Secrets, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { keepFocus } from '../parts/focus-heading.ts';
import { SecretRow } from './secret-row.tsx';
import { SecretValue } from './secret-value.tsx';

/** The names of secrets; values are write-only. */
export function SecretList() {
  const { secrets, failure, take, readAgain } = useSecrets();
  return (
    <section class="panel" aria-labelledby="secrets-title">
      <header class="panel-head">
        <h2 id="secrets-title">Secrets</h2>
      </header>
      <p class="soft small">
        Servers name a secret as <code>{`\${secret:NAME}`}</code>. Its value is kept on this
        machine, outside the vault, and is never shown again.
      </p>
      {failure && (
        <p>
          {failure.message} <Button onClick={readAgain}>Try again</Button>
        </p>
      )}
      {secrets && secrets.missing.length + secrets.names.length > 0 && (
        <ul class="secret-list">
          {secrets.missing.map((name) => (
            <SecretRow key={name} name={name} isMissing onChanged={take} />
          ))}
          {secrets.names.map((name) => (
            <SecretRow key={name} name={name} isMissing={false} onChanged={take} />
          ))}
        </ul>
      )}
      {secrets && <NewSecret taken={secrets.names} onChanged={take} />}
    </section>
  );
}

function useSecrets() {
  const [secrets, setSecrets] = useState<Secrets>();
  const [failure, setFailure] = useState<Failure>();
  const readAgain = useCallback(async () => {
    try {
      setSecrets(await api.secrets.$get());
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
  }, []);
  useEffect(() => void readAgain(), [readAgain]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (event.kind === 'secrets-changed') setSecrets(event.secrets);
        // Other servers may name other secrets.
        if (['reload', 'servers-changed', 'settings-changed'].includes(event.kind))
          void readAgain();
      },
      [readAgain],
    ),
  );
  const take = (changed: Secrets) => {
    setSecrets(changed);
    keepFocus('#secrets-title');
  };
  return { secrets, failure, take, readAgain };
}

interface NewSecretProps {
  readonly taken: readonly string[];
  readonly onChanged: (secrets: Secrets) => void;
}

/** A form for a new secret. */
function NewSecret({ taken, onChanged }: NewSecretProps) {
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
