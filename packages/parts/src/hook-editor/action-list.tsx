import type { ActionType, ProposedMapping } from '@errand/hooks';
import { Button } from '../controls/button.tsx';
import { CheckField } from '../controls/check-field.tsx';
import { Field } from '../controls/field.tsx';
import { actionFields, actionTypes } from './action-fields.ts';
import { FieldList } from './field-list.tsx';
import { type ActionDraft, newAction } from './hook-draft.ts';
import { MappingForm } from './mapping-form.tsx';
import { type ToolCatalog, ToolPicker } from './tool-picker.tsx';

export interface ActionListProps {
  readonly actions: readonly ActionDraft[];
  readonly assistants: readonly string[];
  readonly catalog: ToolCatalog;
  readonly mistakes: Readonly<Record<string, string>>;
  readonly fieldNames: readonly string[];
  readonly proposals: readonly (readonly ProposedMapping[])[];
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

/** What a hook does, in order. */
export function ActionList(props: ActionListProps) {
  const { actions, mistakes, onChange } = props;
  const nextKey = Math.max(-1, ...actions.map(({ key }) => key)) + 1;
  return (
    <>
      {actions.map((action, index) => (
        <Action
          key={action.key}
          {...props}
          action={action}
          index={index}
          onPut={(part) => onChange(actions.with(index, { ...action, ...part }))}
          onRemove={() => onChange(actions.toSpliced(index, 1))}
        />
      ))}
      {mistakes.actions && <p class="field-error small">{mistakes.actions}</p>}
      <p>
        <Button isSmall icon="add" onClick={() => onChange([...actions, newAction(nextKey)])}>
          Add an action
        </Button>
      </p>
    </>
  );
}

interface ActionProps extends ActionListProps {
  readonly action: ActionDraft;
  readonly index: number;
  readonly onPut: (part: Partial<ActionDraft>) => void;
  readonly onRemove: () => void;
}

function Action(props: ActionProps) {
  const { action, index, actions, assistants, mistakes, onPut, onRemove } = props;
  const { type, values, stopsOnError } = action;
  const isOnly = actions.length === 1;
  const specs = actionFields(type, values, assistants);
  const path = `actions.${index}.parameters`;
  const fields = (
    <FieldList
      key={type}
      specs={specs}
      values={values}
      mistakes={mistakes}
      path={path}
      onChange={(changed) => onPut({ values: changed })}
    />
  );
  return (
    <fieldset class="hook-action">
      <legend>{`Action ${index + 1}`}</legend>
      <Field label="What it does">
        {(control) => (
          <select
            {...control}
            value={type}
            onChange={(event) => {
              const chosen = typeOf(event.currentTarget.value);
              if (chosen) onPut({ type: chosen });
            }}
          >
            {Object.entries(actionTypes).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {type === 'mcp' ? <ToolCall {...props} path={path} /> : fields}
      <details>
        <summary>More</summary>
        <div class="hook-more">
          {type === 'mcp' && fields}
          <CheckField
            label="Stop when it does not succeed"
            hint="The actions after it are left out."
            isChecked={stopsOnError}
            onChange={(isChecked) => onPut({ stopsOnError: isChecked })}
          />
        </div>
      </details>
      {!isOnly && (
        <Button isSmall look="quiet" icon="remove" onClick={onRemove}>
          {`Remove action ${index + 1}`}
        </Button>
      )}
    </fieldset>
  );
}

function ToolCall(props: ActionProps & { readonly path: string }) {
  const { action, index, catalog, mistakes, fieldNames, proposals, path, onPut } = props;
  const { serverId, toolName, mappings } = action;
  const server = catalog.servers?.find(({ id, name }) => id === serverId || name === serverId);
  const tool = server?.tools.find(({ name }) => name === toolName);
  const isMissing = `${path}.serverId` in mistakes || `${path}.toolName` in mistakes;
  return (
    <>
      <ToolPicker
        catalog={catalog}
        serverId={serverId}
        toolName={toolName}
        error={isMissing ? 'Choose a tool.' : undefined}
        onChoose={(chosenServer, chosenTool) =>
          onPut({ serverId: chosenServer, toolName: chosenTool })
        }
      />
      {toolName !== '' && (
        <MappingForm
          inputSchema={tool?.inputSchema as Readonly<Record<string, unknown>> | undefined}
          mappings={mappings}
          proposals={proposals[index] ?? []}
          fieldNames={fieldNames}
          onChange={(changed) => onPut({ mappings: changed })}
        />
      )}
    </>
  );
}

function typeOf(value: string): ActionType | undefined {
  return (Object.keys(actionTypes) as ActionType[]).find((type) => type === value);
}
