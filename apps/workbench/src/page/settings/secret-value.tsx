import { Button, Field } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { SecretList } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';

export interface SecretValueProps {
  readonly name: string;
  readonly onSaved: (secrets: SecretList) => void;
  readonly onCancel?: () => void;
}

/** A form for the value of a secret, which is cleared after saving. */
export function SecretValue({ name, onSaved, onCancel }: SecretValueProps) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const secrets = await api.secrets[':name'].$put({ param: { name }, json: { value } });
      setValue('');
      setError(undefined);
      onSaved(secrets);
    } catch (thrown) {
      const { message, fields } = failureOf(thrown);
      setError(fields?.value ?? fields?.name ?? message);
    }
    setBusy(false);
  };
  return (
    <form class="secret-value" aria-label={`Value of ${name}`} onSubmit={save}>
      <Field label="Value" error={error}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" isBusy={isBusy}>
        Save
      </Button>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </form>
  );
}
