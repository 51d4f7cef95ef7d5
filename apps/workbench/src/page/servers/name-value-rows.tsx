import { Button } from '@errand/parts/controls';
import type { Pair } from '@errand/workspace/servers';
import { useId } from 'preact/hooks';
import './name-value-rows.css';

export interface NameValueRowsProps {
  readonly label: string;
  /** The noun for one row, such as `variable`. */
  readonly noun: string;
  readonly rows: readonly Pair[];
  readonly error: string | undefined;
  readonly onChange: (rows: readonly Pair[]) => void;
}

/** Names with their values, row by row. */
export function NameValueRows({ label, noun, rows, error, onChange }: NameValueRowsProps) {
  const id = useId();
  const put = (index: number, row: Pair) => onChange(rows.with(index, row));
  const shared = {
    class: 'control',
    spellcheck: false,
    autocomplete: 'off',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': `${id}-hint`,
  } as const;
  return (
    <fieldset class="name-values">
      <legend>{label}</legend>
      {rows.map((row, index) => (
        // Rows have no id, so the index is the key.
        <div key={`row-${index + 1}`} class="name-value">
          <input
            {...shared}
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder="Name"
            value={row.name}
            onInput={(event) => put(index, { ...row, name: event.currentTarget.value })}
          />
          <input
            {...shared}
            aria-label={`Value of ${noun} ${index + 1}`}
            placeholder="Value"
            value={row.value}
            onInput={(event) => put(index, { ...row, value: event.currentTarget.value })}
          />
          <Button
            look="quiet"
            icon="remove"
            isIconOnly
            onClick={() => onChange(rows.toSpliced(index, 1))}
          >
            {`Remove ${noun} ${index + 1}`}
          </Button>
        </div>
      ))}
      <Button isSmall icon="add" onClick={() => onChange([...rows, { name: '', value: '' }])}>
        {`Add a ${noun}`}
      </Button>
      <p id={`${id}-hint`} class="small soft">
        Keys and passwords stay out of the vault: store them under Settings, and write{' '}
        <code>{`\${secret:NAME}`}</code> here.
      </p>
      {error && (
        <p class="field-error small" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
