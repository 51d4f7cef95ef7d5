import type { Schema } from '../schema-form/schema.ts';
import { shapeOf } from '../schema-form/shape-of.ts';

export interface LiteralFieldProps {
  readonly label: string;
  readonly schema: unknown;
  readonly root: Schema;
  /** As it is stored: text, which becomes what the schema asks for. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A control for a fixed value of the type that a schema asks for. */
export function LiteralField({ label, schema, root, value, onChange }: LiteralFieldProps) {
  const shape = shapeOf(schema, root);
  const control = { class: 'control', 'aria-label': `Value of ${label}` } as const;
  if (shape.kind === 'flag' || shape.kind === 'choice') {
    const options =
      shape.kind === 'flag'
        ? [
            { label: 'Yes', text: 'true' },
            { label: 'No', text: 'false' },
          ]
        : shape.choices.map((choice) => ({ label: choice.label, text: textOf(choice.value) }));
    const isListed = options.some(({ text }) => text === value);
    return (
      <select
        {...control}
        value={isListed ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {!isListed && <option value="">Choose …</option>}
        {options.map((option) => (
          <option key={option.text} value={option.text}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  if (shape.kind === 'number') {
    return (
      <input
        {...control}
        type="number"
        step={shape.isWhole ? 1 : 'any'}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const isJson = shape.kind !== 'text';
  return (
    <textarea
      {...control}
      class="control hook-text"
      rows={1}
      spellcheck={false}
      {...(isJson && { placeholder: shape.kind === 'list' ? '["one", "two"]' : 'JSON' })}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
