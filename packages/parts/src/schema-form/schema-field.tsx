import { isSecretName, oneLine } from '@errand/host';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { CheckField } from '../controls/check-field.tsx';
import { Field } from '../controls/field.tsx';
import { addedDraft, type Draft, none } from './draft.ts';
import { JsonField } from './json-field.tsx';
import { LeafField } from './leaf-field.tsx';
import type { Schema } from './schema.ts';
import { type Shape, shapeOf } from './shape-of.ts';

export interface SchemaFieldProps {
  readonly form: {
    readonly root: Schema;
    readonly mistakes: ReadonlyMap<string, string>;
    readonly hidesSecrets: boolean;
  };
  readonly label: string;
  readonly schema: unknown;
  readonly draft: Draft;
  readonly path: readonly (string | number)[];
  readonly isRequired: boolean;
  /** The parent draws the frame. */
  readonly isFramed?: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** A field with its nested fields; collapsed ones are not resolved. */
export function SchemaField(props: SchemaFieldProps) {
  const { form, schema, draft, path, isRequired } = props;
  const shape = useMemo(() => shapeOf(schema, form.root), [schema, form.root]);
  const name = oneLine(props.label);
  const label = path.length > 0 ? (shape.title ?? name) : name;
  const error = form.mistakes.get(path.join('.'));
  if (draft.kind === 'json' || shape.kind === 'json') {
    return <JsonField {...props} label={label} hint={shape.hint} error={error} />;
  }
  switch (shape.kind) {
    case 'fixed':
      return isRequired || draft.kind === 'text' ? (
        <p>
          <strong>{label}</strong> <code>{JSON.stringify(shape.value)}</code>
        </p>
      ) : null;
    case 'object':
    case 'list':
    case 'variants':
    case 'choices':
      return (
        <Group {...props} label={label} shape={shape} error={error}>
          <Inside {...props} label={label} shape={shape} />
        </Group>
      );
    default: {
      const words = [props.label, label, shape.hint ?? ''];
      const isSecret = form.hidesSecrets && words.some(isSecretName);
      return <LeafField {...props} label={label} shape={shape} error={error} isSecret={isSecret} />;
    }
  }
}

type Grouped = Extract<Shape, { kind: 'object' | 'list' | 'variants' | 'choices' }>;

interface GroupProps extends SchemaFieldProps {
  readonly shape: Grouped;
  readonly error: string | undefined;
  readonly children: ComponentChildren;
}

/** A fieldset around nested fields; the outermost object has none. */
function Group({ form, label, schema, draft, path, ...rest }: GroupProps) {
  const { shape, error, isRequired, isFramed = false, children, onChange } = rest;
  if (isFramed && shape.kind === 'object') return <>{children}</>;
  const isThere = draft.kind !== 'none' || shape.kind === 'choices';
  const mayGo = isThere && shape.kind !== 'choices' && (!isRequired || shape.isNullable);
  return (
    <fieldset class="schema-group">
      <legend>
        {label}
        {isRequired && <span class="soft"> (required)</span>}
      </legend>
      {shape.hint && <p class="small soft">{shape.hint}</p>}
      {error && (
        <p class="field-error small" role="alert" data-mistake tabIndex={-1}>
          {error}
        </p>
      )}
      {isThere && children}
      {!isThere && (
        <Button isSmall icon="add" onClick={() => onChange(addedDraft(schema, form.root))}>
          {`Add ${label}`}
        </Button>
      )}
      {mayGo && (
        <Button isSmall look="quiet" icon="remove" onClick={() => onChange(none)}>
          {`Leave out ${label}`}
        </Button>
      )}
    </fieldset>
  );
}

function Inside(props: SchemaFieldProps & { readonly shape: Grouped }) {
  const { shape } = props;
  switch (shape.kind) {
    case 'object':
      return <ObjectFields {...props} shape={shape} />;
    case 'list':
      return <ListItems {...props} shape={shape} />;
    case 'variants':
      return <Variants {...props} shape={shape} />;
    case 'choices':
      return <Choices {...props} shape={shape} />;
  }
}

type InsideProps<Kind extends Grouped['kind']> = SchemaFieldProps & {
  readonly shape: Extract<Shape, { kind: Kind }>;
};

function ObjectFields({ form, draft, path, shape, onChange }: InsideProps<'object'>) {
  const drafts = draft.kind === 'object' ? draft.fields : new Map<string, Draft>();
  // Required fields first, otherwise in the author's order.
  const fields = shape.fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  return (
    <>
      {fields.map(({ name, schema, isRequired }) => (
        <SchemaField
          key={name}
          form={form}
          label={name}
          schema={schema}
          draft={drafts.get(name) ?? none}
          path={[...path, name]}
          isRequired={isRequired}
          onChange={(changed) =>
            onChange({ kind: 'object', fields: new Map(drafts).set(name, changed) })
          }
        />
      ))}
    </>
  );
}

function ListItems({ form, label, draft, path, shape, onChange }: InsideProps<'list'>) {
  const items = draft.kind === 'list' ? draft.items : [];
  const nextKey = Math.max(-1, ...items.map(({ key }) => key)) + 1;
  const put = (changed: typeof items) => onChange({ kind: 'list', items: changed });
  return (
    <>
      {items.map(({ key, draft: item }, index) => (
        <div key={key} class="schema-item">
          <SchemaField
            form={form}
            label={`${label} ${index + 1}`}
            schema={shape.item}
            draft={item}
            path={[...path, index]}
            isRequired
            onChange={(changed) => put(items.with(index, { key, draft: changed }))}
          />
          <Button
            look="quiet"
            icon="remove"
            isIconOnly
            onClick={() => put(items.filter((other) => other.key !== key))}
          >
            {`Remove ${label} ${index + 1}`}
          </Button>
        </div>
      ))}
      {items.length < shape.most && (
        <Button
          isSmall
          icon="add"
          onClick={() =>
            put([...items, { key: nextKey, draft: addedDraft(shape.item, form.root) }])
          }
        >
          {`Add to ${label}`}
        </Button>
      )}
    </>
  );
}

function Variants({ form, label, draft, path, shape, onChange }: InsideProps<'variants'>) {
  const { index, draft: inner } = draft.kind === 'variant' ? draft : { index: 0, draft: none };
  const { schema } = shape.variants[index] ?? {};
  return (
    <>
      <Field label={`Kind of ${label}`}>
        {(control) => (
          <select
            {...control}
            value={index}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value);
              const chosenDraft = addedDraft(shape.variants[chosen]?.schema, form.root);
              onChange({ kind: 'variant', index: chosen, draft: chosenDraft });
            }}
          >
            {shape.variants.map((variant, number) => (
              <option key={number} value={number}>
                {variant.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <SchemaField
        key={index}
        form={form}
        label={shape.variants[index]?.label ?? label}
        schema={schema}
        draft={inner}
        path={path}
        isRequired
        isFramed
        onChange={(changed) => onChange({ kind: 'variant', index, draft: changed })}
      />
    </>
  );
}

function Choices({ draft, shape, isRequired, onChange }: InsideProps<'choices'>) {
  const chosen = draft.kind === 'choices' ? draft.chosen : [];
  return (
    <>
      {shape.choices.map(({ label }, index) => (
        <CheckField
          key={label}
          label={label}
          isChecked={chosen.includes(index)}
          onChange={(isChecked) => {
            const others = chosen.filter((other) => other !== index);
            const now = isChecked ? [...others, index] : others;
            onChange(now.length > 0 || isRequired ? { kind: 'choices', chosen: now } : none);
          }}
        />
      ))}
    </>
  );
}
