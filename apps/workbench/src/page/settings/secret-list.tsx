import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, SecretList as Secrets, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { Button } from '../parts/button.tsx';
import { keepFocus } from '../parts/focus-heading.ts';
import { NewSecret } from './new-secret.tsx';
import { SecretRow } from './secret-row.tsx';

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
