import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import './field.css';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error message. */
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  /** Renders the control with the attributes that link it to its label, hint and error. */
  readonly children: (control: FieldControl) => JSX.Element;
}

export interface FieldControl {
  readonly id: string;
  readonly class: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-required': boolean | undefined;
}

/** A labelled control with an optional hint and error. */
export function Field({ label, hint, error, isRequired = false, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired && <span class="soft"> (required)</span>}
      </label>
      {children({
        id,
        class: 'control',
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': isRequired || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} class="small soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="field-error small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
