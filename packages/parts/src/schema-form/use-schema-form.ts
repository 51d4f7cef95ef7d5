import { isRecord } from '@errand/wire';
import { useState } from 'preact/hooks';
import { type Draft, draftOf, firstDraft } from './draft.ts';
import { readDraft } from './read-draft.ts';
import type { Schema } from './schema.ts';

export type Params = Readonly<Record<string, unknown>>;

/** State of a schema form; mistakes are shown after the first submit and updated from then on. */
export function useSchemaForm(schema: Schema) {
  const [draft, setDraft] = useState<Draft>(() => firstDraft(schema, schema));
  const [isChecked, setChecked] = useState(false);
  /** Mistakes that were found after the form was read; cleared when it is changed. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusals, setRefusals] = useState(0);
  const reading = isChecked ? readDraft(draft, schema, schema) : undefined;
  const refuse = (fields: Readonly<Record<string, string>>) => {
    setRefused(new Map(Object.entries(fields)));
    setRefusals((count) => count + 1);
  };
  return {
    draft,
    /** The schema has no fields. */
    isEmpty: draft.kind === 'object' && draft.fields.size === 0,
    mistakes: new Map([...refused, ...(reading?.mistakes ?? [])]),
    /** How often the form was submitted with mistakes. */
    refusals,
    setDraft: (changed: Draft) => {
      setDraft(changed);
      setRefused(new Map());
    },
    /** Switches from fields to one JSON text; `showFields` switches back. */
    showJson: () => {
      const { value } = readDraft(draft, schema, schema);
      setDraft({ kind: 'json', text: JSON.stringify(value ?? {}, undefined, 2) });
    },
    showFields: () => {
      const { value, mistakes } = readDraft(draft, schema, schema);
      setChecked(mistakes.size > 0);
      if (mistakes.size === 0) setDraft(draftOf(value, schema, schema));
    },
    refuse,
    /** The parameters, or undefined when there are mistakes, which are then shown. */
    submit: (): Params | undefined => {
      setChecked(true);
      const { value, mistakes } = readDraft(draft, schema, schema);
      if (mistakes.size === 0 && isRecord(value)) return value;
      const notAnObject = 'Parameters must be an object, for example {"text": "Hello"}.';
      refuse(mistakes.size > 0 ? {} : { '': notAnObject });
      return undefined;
    },
  };
}
