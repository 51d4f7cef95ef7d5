import { Field } from '../controls/field.tsx';
import type { Draft } from './draft.ts';

export interface JsonFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly draft: Draft;
  readonly isRequired: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** A text field for a value as JSON, used where no better control is known. */
export function JsonField({ label, hint, error, draft, isRequired, onChange }: JsonFieldProps) {
  const text = draft.kind === 'json' || draft.kind === 'text' ? draft.text : '';
  return (
    <Field
      label={label}
      hint={hint ? `${hint} Written as JSON.` : 'Written as JSON.'}
      error={error}
      isRequired={isRequired}
    >
      {(control) => (
        <textarea
          {...control}
          rows={Math.min(12, Math.max(3, text.split('\n', 13).length))}
          spellcheck={false}
          value={text}
          onInput={(event) => onChange({ kind: 'json', text: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
