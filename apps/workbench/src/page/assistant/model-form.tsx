import { Button, Field, useFocusOnRefusal } from '@errand/parts/controls';
import type { AssistantDraft } from '@errand/workspace/settings';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../model/api.ts';
import { type ModelFormState, type ModelKind, modelKinds, useModelForm } from './use-model-form.ts';

export interface ModelFormProps {
  /** The one that is changed; without it, one is added. */
  readonly stored?: AssistantDraft;
  readonly onStored: () => void;
  readonly onCancel?: () => void;
}

/** Sets up a language model: where it is, its key as a secret, which model, and whether it answers. */
export function ModelForm({ stored, onStored, onCancel }: ModelFormProps) {
  const state = useModelForm(onStored, stored);
  const { kind, failure, work, tested } = state;
  const form = useFocusOnRefusal(state.refusals);
  return (
    <form
      ref={form}
      class="model-form"
      noValidate
      aria-label="Language model"
      onSubmit={(event) => {
        event.preventDefault();
        if (work === undefined) void state.save();
      }}
    >
      <Field label="Provider">
        {(control) => (
          <select
            {...control}
            value={kind}
            onChange={({ currentTarget }) => state.choose(currentTarget.value as ModelKind)}
          >
            {Object.entries(modelKinds).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {(kind === 'ollama' || kind === 'other') && <Address {...state} />}
      {kind !== 'ollama' && <Key {...state} />}
      <Model {...state} />
      <TextField
        {...state}
        name="name"
        label="Name"
        hint="Its answers in notes begin with it: letters, digits, - and _."
      />
      <details class="more-fields">
        <summary>More</summary>
        <div>
          {kind !== 'ollama' && kind !== 'other' && <Address {...state} />}
          <TextField
            {...state}
            name="temperature"
            label="Temperature"
            hint="0 to 2. Default: the provider's own."
          />
        </div>
      </details>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
      <p role="status" class="model-tested">
        {work === 'test' ? 'Asking it …' : tested}
      </p>
      <footer class="model-actions">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button isBusy={work === 'test'} onClick={() => void state.test()}>
          Test
        </Button>
        <Button look="primary" type="submit" isBusy={work === 'save'}>
          Save
        </Button>
      </footer>
    </form>
  );
}

function Address(state: ModelFormState) {
  const isNeeded = state.kind === 'other';
  return (
    <TextField
      {...state}
      name="baseUrl"
      label="Address"
      hint={
        isNeeded
          ? 'For example https://openrouter.ai/api/v1. LM Studio, vLLM, DeepSeek and many others have one.'
          : state.kind === 'ollama'
            ? 'Where Ollama listens. Nothing leaves this machine.'
            : "Default: the provider's own."
      }
      isRequired={isNeeded}
    />
  );
}

/** A new key, or a secret that is set already. */
function Key({ draft, mistakes, change, kind }: ModelFormState) {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    api.secrets.$get().then(
      ({ names: set }) => setNames(set),
      // Without the list, a key can still be typed.
      () => {},
    );
  }, []);
  const [, chosen = ''] = /^\$\{secret:(.+)\}$/.exec(draft.key) ?? [];
  const known = [...new Set([...names, ...(chosen === '' ? [] : [chosen])])];
  return (
    <>
      {known.length > 0 && (
        <Field label="Key from" error={chosen === '' ? undefined : mistakes.key}>
          {(control) => (
            <select
              {...control}
              value={chosen}
              onChange={({ currentTarget: { value } }) =>
                change({ key: value === '' ? '' : `\${secret:${value}}`, newKey: '' })
              }
            >
              <option value="">A new key</option>
              {known.map((name) => (
                <option key={name} value={name}>
                  {`The secret ${name}`}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {chosen === '' && (
        <Field
          label="Key"
          hint="Kept as a secret on this machine; the settings hold only its name."
          error={mistakes.key}
          isRequired={kind !== 'other'}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autocomplete="off"
              value={draft.newKey}
              onInput={({ currentTarget }) => change({ newKey: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

function Model(state: ModelFormState) {
  const { draft, models, mistakes, work, change } = state;
  const hint =
    models === undefined
      ? "The name as its provider writes it, or fetch the provider's list."
      : `${models.length} found.`;
  return (
    <div class="model-name">
      <Field label="Model" hint={hint} error={mistakes.model} isRequired>
        {(control) =>
          models === undefined ? (
            <input
              {...control}
              class="control is-code"
              spellcheck={false}
              autocomplete="off"
              value={draft.model}
              onInput={({ currentTarget }) => change({ model: currentTarget.value })}
            />
          ) : (
            <select
              {...control}
              value={draft.model}
              onChange={({ currentTarget }) => change({ model: currentTarget.value })}
            >
              {models.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )
        }
      </Field>
      {models === undefined ? (
        <Button isBusy={work === 'models'} onClick={() => void state.fetchModels()}>
          Fetch models
        </Button>
      ) : (
        <Button onClick={state.typeModel}>Type a name</Button>
      )}
    </div>
  );
}

interface TextFieldProps extends ModelFormState {
  readonly name: 'name' | 'baseUrl' | 'temperature';
  readonly label: string;
  readonly hint: string;
  readonly isRequired?: boolean;
}

function TextField({ draft, mistakes, change, name, label, hint, isRequired }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={mistakes[name]} isRequired={isRequired ?? false}>
      {(control) => (
        <input
          {...control}
          spellcheck={false}
          autocomplete="off"
          value={draft[name]}
          onInput={({ currentTarget }) =>
            change({ [name]: currentTarget.value } as Partial<AssistantDraft>)
          }
        />
      )}
    </Field>
  );
}
