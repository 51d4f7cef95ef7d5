import { Button, Field } from '@errand/parts/controls';
import type { SettingName } from '@errand/workspace/settings';
import type { ComponentChildren } from 'preact';
import type { SettingsForm } from './use-settings-form.ts';

interface SettingProps {
  readonly form: SettingsForm;
  readonly name: SettingName;
  readonly label: string;
  /** One plain sentence. */
  readonly hint: string;
}

export interface SettingFieldProps extends SettingProps {
  readonly unit?: string;
  readonly isNumber?: boolean;
}

/** A text or number setting. */
export function SettingField({ form, name, label, hint, unit, isNumber }: SettingFieldProps) {
  return (
    <Setting form={form} name={name}>
      <Field label={label} hint={hint} error={form.errors[name]}>
        {(control) => (
          <span class="setting-control">
            <input
              {...control}
              inputMode={isNumber ? 'decimal' : 'text'}
              class={isNumber ? 'control is-number' : 'control'}
              value={form.textOf(name)}
              onInput={(event) => form.type(name, event.currentTarget.value)}
            />
            {unit && <span class="soft">{unit}</span>}
          </span>
        )}
      </Field>
    </Setting>
  );
}

/** A limit that can be switched off. */
export function LimitField({ form, name, label, hint }: SettingProps) {
  const text = form.textOf(name);
  const isUnlimited = text.trim() === '-1';
  return (
    <Setting form={form} name={name}>
      <Field label={label} hint={hint} error={form.errors[name]}>
        {(control) => (
          <span class="setting-control">
            <input
              {...control}
              inputMode="numeric"
              class="control is-number"
              disabled={isUnlimited}
              value={isUnlimited ? '' : text}
              onInput={(event) => form.type(name, event.currentTarget.value)}
            />
            <label class="choice">
              <input
                type="checkbox"
                checked={isUnlimited}
                onChange={(event) => form.type(name, event.currentTarget.checked ? '-1' : '25')}
              />
              No limit <span class="visually-hidden">for: {label}</span>
            </label>
          </span>
        )}
      </Field>
    </Setting>
  );
}

/** A setting with fixed choices. */
export function ChoiceField(
  props: SettingProps & { readonly choices: readonly (readonly [value: string, words: string])[] },
) {
  const { form, name, label, hint, choices } = props;
  return (
    <Setting form={form} name={name}>
      <Field label={label} hint={hint} error={form.errors[name]}>
        {(control) => (
          <select
            {...control}
            value={form.textOf(name)}
            onChange={(event) => form.type(name, event.currentTarget.value)}
          >
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Setting>
  );
}

/** Shows a value that was stored elsewhere while this one was being edited. */
function Setting(props: {
  readonly form: SettingsForm;
  readonly name: SettingName;
  readonly children: ComponentChildren;
}) {
  const { form, name, children } = props;
  const stored = form.storedMeanwhile(name);
  return (
    <div class="setting">
      {children}
      {stored !== undefined && (
        <p class="setting-meanwhile small" role="status">
          “{stored}” was stored in another tab or program. Saving replaces it.
          <Button isSmall onClick={() => form.takeStored(name)}>
            Use it
          </Button>
        </p>
      )}
    </div>
  );
}
