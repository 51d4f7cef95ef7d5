import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './check-field.css';

export interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A checkbox with its label. */
export function CheckField({ label, hint, error, isChecked, onChange }: CheckFieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="check-field">
      <label>
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <div id={`${id}-hint`} class="check-hint small soft">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} class="check-hint field-error small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
