import type { JSX } from 'preact';
import { CheckField } from '../controls/check-field.tsx';
import { Field, type FieldControl } from '../controls/field.tsx';
import type { Draft } from './draft.ts';
import { describeBounds } from './read-draft.ts';
import type { Shape } from './shape-of.ts';

export type LeafShape = Extract<Shape, { kind: 'choice' | 'flag' | 'number' | 'text' }>;

export interface LeafFieldProps {
  readonly label: string;
  readonly shape: LeafShape;
  readonly draft: Draft;
  readonly isRequired: boolean;
  readonly error: string | undefined;
  /** Masks what is typed, because the field looks like a secret. */
  readonly isSecret: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** One control for one simple value. */
export function LeafField(props: LeafFieldProps) {
  const { label, shape, draft, isRequired, error, isSecret, onChange } = props;
  const text = draft.kind === 'text' ? draft.text : '';
  const put = (changed: string) => onChange({ kind: 'text', text: changed });
  if (shape.kind === 'flag' && (isRequired || shape.initial)) {
    return (
      <CheckField
        label={label}
        hint={shape.hint}
        error={error}
        isChecked={text === 'true'}
        onChange={(isChecked) => put(String(isChecked))}
      />
    );
  }
  return (
    <Field
      label={label}
      hint={hintOf(shape, isRequired, isSecret)}
      error={error}
      isRequired={isRequired}
    >
      {(control) =>
        isSecret && shape.kind === 'text' ? (
          <input
            {...control}
            type="password"
            autoComplete="off"
            value={text}
            onInput={(event) => put(event.currentTarget.value)}
          />
        ) : (
          controlOf(control, shape, text, put)
        )
      }
    </Field>
  );
}

function hintOf(shape: LeafShape, isRequired: boolean, isSecret: boolean): string | undefined {
  const bounds = shape.kind === 'number' ? describeBounds(shape.bounds) : '';
  const empty = shape.isNullable && isRequired ? 'If empty, null is sent.' : '';
  const warning = isSecret ? 'This looks like a secret, and the server would get it.' : '';
  return [shape.hint, bounds, empty, warning].filter(Boolean).join(' ') || undefined;
}

function controlOf(
  control: FieldControl,
  shape: LeafShape,
  text: string,
  put: (text: string) => void,
): JSX.Element {
  switch (shape.kind) {
    case 'flag':
      return (
        <Select
          control={control}
          text={text}
          put={put}
          options={[
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
        />
      );
    case 'choice': {
      const options = shape.choices.map(({ label }, index) => [String(index), label] as const);
      return <Select control={control} text={text} put={put} options={options} />;
    }
    case 'text':
      if (shape.format === 'long') {
        return (
          <textarea
            {...control}
            class="control schema-text"
            rows={1}
            value={text}
            onInput={(event) => put(event.currentTarget.value)}
          />
        );
      }
      return (
        <input
          {...control}
          {...inputOf[shape.format]}
          value={text}
          onInput={(event) => put(event.currentTarget.value)}
        />
      );
    case 'number':
      return (
        <input
          {...control}
          type="number"
          step={shape.isWhole ? 1 : 'any'}
          {...(shape.bounds.least !== -Infinity && { min: shape.bounds.least })}
          {...(shape.bounds.most !== Infinity && { max: shape.bounds.most })}
          value={text}
          onInput={(event) => put(event.currentTarget.value)}
        />
      );
  }
}

const inputOf = {
  line: { type: 'text' },
  date: { type: 'date' },
  'date-time': { type: 'datetime-local', step: 1 },
  email: { type: 'email', autocomplete: 'off' },
  uri: { type: 'url', autocomplete: 'off' },
} as const;

interface SelectProps {
  readonly control: FieldControl;
  readonly text: string;
  readonly put: (text: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
}

function Select({ control, text, put, options }: SelectProps) {
  return (
    <select {...control} value={text} onChange={(event) => put(event.currentTarget.value)}>
      <option value="">Not given</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
