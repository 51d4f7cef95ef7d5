import type { Draft } from './draft.ts';
import type { Schema } from './schema.ts';
import './schema-form.css';
import { SchemaField } from './schema-field.tsx';

export interface SchemaFormProps {
  /** An untrusted JSON Schema; every schema gets some form. */
  readonly schema: Schema;
  readonly draft: Draft;
  /** What is wrong, by dotted path. */
  readonly mistakes: ReadonlyMap<string, string>;
  readonly onChange: (draft: Draft) => void;
  /** Warns at fields that look like secrets, and masks what is typed there. */
  readonly hidesSecrets?: boolean;
}

/** A form made from a JSON Schema. */
export function SchemaForm({
  schema,
  draft,
  mistakes,
  onChange,
  hidesSecrets = false,
}: SchemaFormProps) {
  const form = { root: schema, mistakes, hidesSecrets };
  return (
    <div class="schema-form">
      <SchemaField
        form={form}
        label="Parameters"
        schema={schema}
        draft={draft}
        path={[]}
        isRequired
        isFramed
        onChange={onChange}
      />
    </div>
  );
}
