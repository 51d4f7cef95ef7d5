import { Field } from '@errand/parts/controls';
import { useId } from 'preact/hooks';
import type { PastCall } from '../../contract.ts';
import { goTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { type HistoryFilter, optionsOf } from './history-filter.ts';
import './history-filters.css';
import { outcomes, sourceLabels } from './call-labels.ts';

export interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  /** Calls whose notes are suggested. */
  readonly calls: readonly PastCall[];
}

/** Controls that change the filter in the URL. */
export function HistoryFilters({ filter, calls }: HistoryFiltersProps) {
  const { servers } = useWorkbench();
  const listId = useId();
  const names = new Set([
    ...servers.value.map(({ name }) => name),
    ...calls.map(({ server }) => server),
    ...(filter.server === '' ? [] : [filter.server]),
  ]);
  const notes = new Set(calls.flatMap(({ note }) => (note === null ? [] : [note])));
  const choose = (change: Partial<Record<keyof HistoryFilter, string>>) =>
    goTo('calls', '', optionsOf({ ...filter, ...change }));
  return (
    <form class="history-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label="Server"
        value={filter.server}
        choices={[...names].sort().map((name) => [name, name])}
        onChoose={(server) => choose({ server })}
      />
      <Choice
        label="Outcome"
        value={filter.status}
        choices={Object.entries(outcomes).map(([status, { label }]) => [status, label])}
        onChoose={(status) => choose({ status })}
      />
      <Choice
        label="Called by"
        value={filter.source}
        choices={Object.entries(sourceLabels)}
        onChoose={(source) => choose({ source })}
      />
      <Field label="Note">
        {(control) => (
          <input
            {...control}
            type="search"
            list={listId}
            placeholder="Any"
            value={filter.note}
            onChange={(event) => choose({ note: event.currentTarget.value.trim() })}
          />
        )}
      </Field>
      <datalist id={listId}>
        {[...notes].map((note) => (
          <option key={note} value={note} />
        ))}
      </datalist>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">Any</option>
          {choices.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
