import type { Draft } from './draft.ts';
import type { Schema } from './schema.ts';
import './schema-form.css';
import { SchemaField } from './schema-field.tsx';

export interface SchemaFormProps {
  /** A stranger's: whatever is in it, something is drawn. */
  readonly schema: Schema;
  readonly draft: Draft;
  /** What is wrong, by dotted path. */
  readonly mistakes: ReadonlyMap<string, string>;
  readonly onChange: (draft: Draft) => void;
  /** A field that looks like a secret is warned of, and what is typed there is not shown. */
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
