import type { JSX } from 'preact';
import { CheckField } from '../controls/check-field.tsx';
import { Field, type FieldControl } from '../controls/field.tsx';
import type { FieldSpec, FieldValue, FieldValues } from './form-fields.ts';

export interface FieldListProps {
  readonly specs: readonly FieldSpec[];
  readonly values: FieldValues;
  /** What is wrong, by dotted path. */
  readonly mistakes: Readonly<Record<string, string>>;
  /** The path that the names of the fields are below. */
  readonly path: string;
  readonly onChange: (values: FieldValues) => void;
}

/** Fields that are described by data, below each other. */
export function FieldList({ specs, values, mistakes, path, onChange }: FieldListProps) {
  return (
    <>
      {specs.map((spec) => (
        <OneField
          key={spec.name}
          spec={spec}
          value={Object.hasOwn(values, spec.name) ? values[spec.name] : undefined}
          error={mistakeAt(mistakes, `${path}.${spec.name}`)}
          onChange={(value) => onChange({ ...values, [spec.name]: value })}
        />
      ))}
    </>
  );
}

/** The mistake of a field, or of a part of it. */
function mistakeAt(mistakes: Readonly<Record<string, string>>, path: string): string | undefined {
  const found = Object.entries(mistakes).find(
    ([key]) => key === path || key.startsWith(`${path}.`),
  );
  return found?.[1];
}

interface OneFieldProps {
  readonly spec: FieldSpec;
  readonly value: FieldValue | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

function OneField({ spec, value, error, onChange }: OneFieldProps) {
  const { label, kind, hint, options = [], isRequired = false } = spec;
  if (kind === 'flag') {
    return (
      <CheckField
        label={label}
        hint={hint}
        error={error}
        isChecked={value === true}
        onChange={onChange}
      />
    );
  }
  if (kind === 'choices') {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset class="hook-choices">
        <legend>
          {label}
          {isRequired && <span class="soft"> (required)</span>}
        </legend>
        <div>
          {options.map(([name, text]) => (
            <CheckField
              key={name}
              label={text}
              isChecked={chosen.includes(name)}
              onChange={(isChecked) => {
                const others = chosen.filter((other) => other !== name);
                onChange(isChecked ? [...others, name] : others);
              }}
            />
          ))}
        </div>
        {hint && <p class="small soft">{hint}</p>}
        {error && (
          <p class="field-error small" role="alert" data-mistake tabIndex={-1}>
            {error}
          </p>
        )}
      </fieldset>
    );
  }
  const text = typeof value === 'string' ? value : '';
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired}>
      {(control) => controlOf(control, spec, text, onChange)}
    </Field>
  );
}

function controlOf(
  control: FieldControl,
  { kind, options = [], placeholder, isRequired = false }: FieldSpec,
  text: string,
  put: (value: string) => void,
): JSX.Element {
  const typing = {
    ...control,
    value: text,
    spellcheck: false,
    autocomplete: 'off',
    ...(placeholder !== undefined && { placeholder }),
  } as const;
  switch (kind) {
    case 'choice': {
      const isListed = options.some(([value]) => value === text);
      return (
        <select
          {...control}
          value={isListed ? text : (options[0]?.[0] ?? '')}
          onChange={(event) => put(event.currentTarget.value)}
        >
          {options.length === 0 && <option value="">{isRequired ? 'There is none' : ''}</option>}
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      );
    }
    case 'area':
    case 'lines':
    case 'pairs':
      return (
        <textarea
          {...typing}
          class="control hook-text"
          rows={kind === 'area' ? 1 : 2}
          onInput={(event) => put(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...typing}
          type="text"
          {...((kind === 'number' || kind === 'seconds') && { inputMode: 'decimal' })}
          onInput={(event) => put(event.currentTarget.value)}
        />
      );
  }
}
