import {
  type FieldErrors,
  readDraft,
  type SettingName,
  type SettingsDraft,
  textOf,
  withoutSame,
} from '@errand/workspace/settings';
import { useEffect, useState } from 'preact/hooks';
import type { SettingsState } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

export interface SettingsForm {
  textOf(name: SettingName): string;
  type(name: SettingName, text: string): void;
  /** The stored value, if it changed while it was being edited here. */
  storedMeanwhile(name: SettingName): string | undefined;
  /** Replaces the draft with the stored value. */
  takeStored(name: SettingName): void;
  readonly errors: FieldErrors;
  readonly state: 'same' | 'changed' | 'saving' | 'saved';
  save(): Promise<void>;
  discard(): void;
}

/** Edits settings as a draft over the stored values, so that external changes show at once and keep the draft. */
export function useSettingsForm(settings: SettingsState): SettingsForm {
  const model = useWorkbench();
  const { values } = settings;
  const { draft, basis } = model.unsavedSettings.value;
  const setDraft = (typed: SettingsDraft) => {
    model.unsavedSettings.value = { draft: typed, basis };
  };
  const [errors, setErrors] = useState<FieldErrors>({});
  const [phase, setPhase] = useState<'idle' | 'saving' | 'saved'>('idle');
  const changed = withoutSame(draft, values);
  const isChanged = Object.keys(changed).length > 0;
  useKeptText(isChanged);
  const stored = (name: SettingName) => textOf(name, values[name]);
  const forget = (name: SettingName) => {
    const { [name]: _, ...others } = draft;
    setDraft(others);
  };
  return {
    textOf: (name) => draft[name] ?? stored(name),
    type(name, text) {
      model.unsavedSettings.value = {
        draft: { ...draft, [name]: text },
        basis: draft[name] === undefined ? { ...basis, [name]: stored(name) } : basis,
      };
      setErrors({ ...errors, [name]: undefined });
      setPhase('idle');
    },
    storedMeanwhile: (name) =>
      changed[name] !== undefined && basis[name] !== stored(name) ? stored(name) : undefined,
    takeStored: forget,
    errors,
    state:
      phase === 'saving' ? 'saving' : isChanged ? 'changed' : phase === 'saved' ? 'saved' : 'same',
    async save() {
      const read = readDraft(changed);
      setErrors(read.errors);
      if (Object.keys(read.errors).length > 0 || !isChanged) return;
      setPhase('saving');
      try {
        const saved = await api.settings.$patch({ json: read.change });
        model.apply({ kind: 'settings-changed', settings: saved });
        setDraft({});
        setPhase('saved');
      } catch (error) {
        const failure = failureOf(error);
        setErrors(failure.fields ?? {});
        if (failure.fields === undefined) model.toasts.fail(failure);
        setPhase('idle');
      }
    },
    discard() {
      setDraft({});
      setErrors({});
      setPhase('idle');
    },
  };
}

/** Makes the browser confirm leaving with unsaved changes. */
function useKeptText(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
