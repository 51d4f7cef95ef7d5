import type { ParameterMapping, ProposedMapping } from '@errand/hooks';
import { foreignName } from '@errand/host';
import { useId } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { shapeOf } from '../schema-form/shape-of.ts';
import { LiteralField } from './literal-field.tsx';
import { type MappingRow, mappingRows, putMapping, uncoveredNames } from './mapping-rows.ts';

export interface MappingFormProps {
  /** The untrusted schema of the tool; undefined while it is not known. */
  readonly inputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly mappings: readonly ParameterMapping[];
  readonly proposals: readonly ProposedMapping[];
  /** The names of fields to choose from. */
  readonly fieldNames: readonly string[];
  readonly onChange: (mappings: readonly ParameterMapping[]) => void;
}

/** Where the value of each parameter of a tool comes from. */
export function MappingForm(props: MappingFormProps) {
  const { inputSchema, mappings, proposals, fieldNames, onChange } = props;
  const listId = useId();
  const rows = mappingRows(inputSchema, mappings);
  const uncovered = uncoveredNames(rows);
  if (inputSchema !== undefined && rows.length === 0) {
    return <p class="soft">It takes no parameters.</p>;
  }
  return (
    <div class="hook-mappings">
      <datalist id={listId}>
        {fieldNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map((row) => (
        <Row
          key={row.name}
          row={row}
          root={inputSchema ?? {}}
          listId={listId}
          proposal={proposals.find(({ toolParam }) => toolParam === row.name)}
          onChange={(mapping) => onChange(putMapping(mappings, row.name, mapping))}
        />
      ))}
      {uncovered.length > 0 && (
        <p class="small hook-uncovered">
          {`Still required: ${uncovered.map(foreignName).join(', ')}.`}
        </p>
      )}
    </div>
  );
}

interface RowProps {
  readonly row: MappingRow;
  readonly root: Readonly<Record<string, unknown>>;
  readonly listId: string;
  readonly proposal: ProposedMapping | undefined;
  readonly onChange: (mapping: Omit<ParameterMapping, 'toolParam'> | undefined) => void;
}

type Source = ParameterMapping['source'];

const sources: readonly (readonly [Source, string])[] = [
  ['literal', 'Value'],
  ['template', 'Template'],
  ['context', 'Field'],
];

function Row({ row, root, listId, proposal, onChange }: RowProps) {
  const { name, schema, isKnown, isRequired, mapping } = row;
  const id = useId();
  const label = foreignName(name);
  const { hint } = isKnown ? shapeOf(schema, root) : { hint: undefined };
  const put = (value: string) => mapping && onChange({ source: mapping.source, value });
  return (
    <fieldset class="hook-mapping">
      <legend>
        {label}
        {isRequired && <span class="soft"> (required)</span>}
      </legend>
      <div class="hook-mapping-row">
        <select
          class="control hook-source"
          aria-label={`Source of ${label}`}
          value={mapping?.source ?? ''}
          onChange={(event) => {
            const chosen = sources.find(([source]) => source === event.currentTarget.value)?.[0];
            onChange(chosen && { source: chosen, value: mapping?.value ?? '' });
          }}
        >
          <option value="">Not given</option>
          {sources.map(([source, text]) => (
            <option key={source} value={source}>
              {text}
            </option>
          ))}
        </select>
        {mapping?.source === 'context' && (
          <input
            id={id}
            class="control"
            list={listId}
            aria-label={`Field for ${label}`}
            placeholder="branch"
            spellcheck={false}
            value={mapping.value}
            onInput={(event) => put(event.currentTarget.value)}
          />
        )}
        {mapping?.source === 'template' && (
          <textarea
            class="control hook-text"
            rows={1}
            aria-label={`Template for ${label}`}
            placeholder="{{ feature }} on {{ branch }}"
            spellcheck={false}
            value={mapping.value}
            onInput={(event) => put(event.currentTarget.value)}
          />
        )}
        {mapping?.source === 'literal' && (
          <LiteralField
            label={label}
            schema={schema}
            root={root}
            value={mapping.value}
            onChange={put}
          />
        )}
        {mapping === undefined && proposal && (
          <Button
            isSmall
            aria-label={`Take the field ${proposal.value} for ${label}`}
            onClick={() => onChange({ source: 'context', value: proposal.value })}
          >
            {`Take the field ${proposal.value}`}
          </Button>
        )}
        {!isKnown && (
          <Button look="quiet" icon="remove" isIconOnly onClick={() => onChange(undefined)}>
            {`Remove ${label}`}
          </Button>
        )}
      </div>
      {hint && <p class="small soft">{hint}</p>}
      {!isKnown && Object.keys(root).length > 0 && (
        <p class="small field-error">The tool has no such parameter.</p>
      )}
    </fieldset>
  );
}
