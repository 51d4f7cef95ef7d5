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
}

/** A form made from a JSON Schema. */
export function SchemaForm({ schema, draft, mistakes, onChange }: SchemaFormProps) {
  const form = { root: schema, mistakes };
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
