import { useId } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import type { ConditionDraft } from './hook-draft.ts';

export interface ConditionListProps {
  readonly conditions: readonly ConditionDraft[];
  readonly mistakes: Readonly<Record<string, string>>;
  readonly fieldNames: readonly string[];
  readonly onChange: (conditions: readonly ConditionDraft[]) => void;
}

const tests: readonly (readonly [ConditionDraft['test'], not: boolean, string])[] = [
  ['equals', false, 'is'],
  ['equals', true, 'is not'],
  ['in', false, 'is one of'],
  ['in', true, 'is none of'],
  ['matches', false, 'matches the pattern'],
  ['matches', true, 'does not match the pattern'],
  ['glob', false, 'is a path like'],
  ['glob', true, 'is not a path like'],
  ['exists', false, 'is there'],
  ['exists', true, 'is missing'],
];

const placeholders: Readonly<Record<ConditionDraft['test'], string>> = {
  equals: 'main',
  in: 'main, develop',
  matches: '^[0-9]{3}-',
  glob: 'specs/**',
  exists: '',
};

/** What must hold about an event; all of it. */
export function ConditionList(props: ConditionListProps) {
  const { conditions, mistakes, fieldNames, onChange } = props;
  const listId = useId();
  const nextKey = Math.max(-1, ...conditions.map(({ key }) => key)) + 1;
  const put = (index: number, part: Partial<ConditionDraft>) => {
    const current = conditions[index];
    if (current !== undefined) onChange(conditions.with(index, { ...current, ...part }));
  };
  return (
    <>
      <datalist id={listId}>
        {fieldNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.length === 0 && <p class="soft">It runs for every such event.</p>}
      {conditions.map(({ key, field, test, not, text }, index) => {
        const number = index + 1;
        const mistake = Object.entries(mistakes).find(([path]) =>
          `${path}.`.startsWith(`conditions.${index}.`),
        )?.[1];
        const invalid = mistake ? true : undefined;
        return (
          <div key={key} class="hook-condition">
            <input
              class="control"
              list={listId}
              aria-label={`Field of condition ${number}`}
              aria-invalid={invalid}
              placeholder="branch"
              spellcheck={false}
              value={field}
              onInput={(event) => put(index, { field: event.currentTarget.value })}
            />
            <select
              class="control"
              aria-label={`Test of condition ${number}`}
              value={tests.findIndex(([name, no]) => name === test && no === not)}
              onChange={(event) => {
                const chosen = tests[Number(event.currentTarget.value)];
                if (chosen) put(index, { test: chosen[0], not: chosen[1] });
              }}
            >
              {tests.map(([, , label], place) => (
                <option key={label} value={place}>
                  {label}
                </option>
              ))}
            </select>
            {test !== 'exists' && (
              <input
                class="control"
                aria-label={`Value of condition ${number}`}
                aria-invalid={invalid}
                placeholder={placeholders[test]}
                spellcheck={false}
                value={text}
                onInput={(event) => put(index, { text: event.currentTarget.value })}
              />
            )}
            <Button
              look="quiet"
              icon="remove"
              isIconOnly
              onClick={() => onChange(conditions.toSpliced(index, 1))}
            >
              {`Remove condition ${number}`}
            </Button>
            {mistake && (
              <p class="field-error small" role="alert">
                {mistake}
              </p>
            )}
          </div>
        );
      })}
      <p>
        <Button
          isSmall
          icon="add"
          onClick={() =>
            onChange([
              ...conditions,
              { key: nextKey, field: '', test: 'equals', not: false, text: '' },
            ])
          }
        >
          Add a condition
        </Button>
      </p>
    </>
  );
}
