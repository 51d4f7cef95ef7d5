import type { HookOptions, ProposedMapping } from '@errand/hooks';
import { oneLine } from '@errand/host';
import { useId } from 'preact/hooks';
import { CheckField } from '../controls/check-field.tsx';
import { Field } from '../controls/field.tsx';
import { ActionList } from './action-list.tsx';
import { ConditionList } from './condition-list.tsx';
import { FieldList } from './field-list.tsx';
import './hook-editor.css';
import { draftFrom, emptyDraft, type HookDraft } from './hook-draft.ts';
import type { ToolCatalog } from './tool-picker.tsx';
import { triggerKinds } from './trigger-fields.ts';

export interface HookEditorProps {
  readonly draft: HookDraft;
  readonly options: HookOptions;
  readonly catalog: ToolCatalog;
  /** What is wrong, by dotted path in the JSON of the hook. */
  readonly mistakes: Readonly<Record<string, string>>;
  /** Names for conditions, mappings and templates. */
  readonly fieldNames: readonly string[];
  /** For each action, the mappings that a person may take. */
  readonly proposals: readonly (readonly ProposedMapping[])[];
  readonly onChange: (draft: HookDraft) => void;
}

/** Writes a hook in three steps: when, if, then. */
export function HookEditor(props: HookEditorProps) {
  const { draft, options, catalog, mistakes, fieldNames, proposals, onChange } = props;
  const id = useId();
  const put = (part: Partial<HookDraft>) => onChange({ ...draft, ...part });
  const { kind, values } = draft.trigger;
  const isNew = draft.id === undefined;
  return (
    <div class="hook-editor">
      <div class="panel">
        {isNew && (
          <Field label="Start from">
            {(control) => (
              <select
                {...control}
                onChange={(event) => {
                  const found = options.templates.find(
                    ({ key }) => key === event.currentTarget.value,
                  );
                  onChange(found === undefined ? emptyDraft : draftFrom(found.hook));
                }}
              >
                <option value="">An empty hook</option>
                {options.templates.map(({ key, hook }) => (
                  <option key={key} value={key}>
                    {oneLine(hook.name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="Name" error={mistakes.name} isRequired>
          {(control) => (
            <input
              {...control}
              type="text"
              maxLength={100}
              autocomplete="off"
              value={draft.name}
              onInput={(event) => put({ name: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <section class="panel" aria-labelledby={`${id}-when`}>
        <h2 id={`${id}-when`}>
          <span class="hook-step">1</span> When
        </h2>
        <Field label="What happens">
          {(control) => (
            <select
              {...control}
              value={kind}
              onChange={(event) => {
                const chosen = kindOf(event.currentTarget.value);
                if (chosen) put({ trigger: { kind: chosen, values } });
              }}
            >
              {Object.entries(triggerKinds).map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FieldList
          key={kind}
          specs={triggerKinds[kind].fields}
          values={values}
          mistakes={mistakes}
          path="trigger"
          onChange={(changed) => put({ trigger: { kind, values: changed } })}
        />
      </section>
      <section class="panel" aria-labelledby={`${id}-if`}>
        <h2 id={`${id}-if`}>
          <span class="hook-step">2</span> If
        </h2>
        <ConditionList
          conditions={draft.conditions}
          mistakes={mistakes}
          fieldNames={fieldNames}
          onChange={(conditions) => put({ conditions })}
        />
      </section>
      <section class="panel" aria-labelledby={`${id}-then`}>
        <h2 id={`${id}-then`}>
          <span class="hook-step">3</span> Then
        </h2>
        <ActionList
          actions={draft.actions}
          assistants={options.assistants}
          catalog={catalog}
          mistakes={mistakes}
          fieldNames={fieldNames}
          proposals={proposals}
          onChange={(actions) => put({ actions })}
        />
      </section>
      <Limits draft={draft} mistakes={mistakes} put={put} />
    </div>
  );
}

const modes: readonly (readonly [HookDraft['mode'], string])[] = [
  ['queued', 'waits for its turn'],
  ['single', 'is dropped'],
  ['restart', 'cancels the run before it'],
  ['parallel', 'runs beside it'],
];

interface LimitsProps {
  readonly draft: HookDraft;
  readonly mistakes: Readonly<Record<string, string>>;
  readonly put: (part: Partial<HookDraft>) => void;
}

/** How often a hook runs, and whether it does. */
function Limits({ draft, mistakes, put }: LimitsProps) {
  return (
    <details class="panel hook-limits">
      <summary>How often, and at once</summary>
      <Field label="An event while it still runs">
        {(control) => (
          <select
            {...control}
            value={draft.mode}
            onChange={(event) => {
              const found = modes.find(([mode]) => mode === event.currentTarget.value);
              if (found) put({ mode: found[0] });
            }}
          >
            {modes.map(([mode, label]) => (
              <option key={mode} value={mode}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {draft.mode === 'parallel' && (
        <Field label="At once, at most" error={mistakes.max}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              value={draft.max}
              onInput={(event) => put({ max: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="Runs an hour"
        hint="After that it is paused until you switch it on again."
        error={mistakes.runsPerHour}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={draft.runsPerHour}
            onInput={(event) => put({ runsPerHour: event.currentTarget.value })}
          />
        )}
      </Field>
      <CheckField
        label="Enabled"
        isChecked={draft.enabled}
        onChange={(enabled) => put({ enabled })}
      />
    </details>
  );
}

function kindOf(value: string): HookDraft['trigger']['kind'] | undefined {
  const kinds = Object.keys(triggerKinds) as HookDraft['trigger']['kind'][];
  return kinds.find((kind) => kind === value);
}
