import { hrefTo, type Place } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Icon } from '../parts/icon.tsx';
import './navigation.css';

const names: Readonly<Record<Place, string>> = {
  notes: 'Notes',
  servers: 'Servers',
  calls: 'Calls',
  settings: 'Settings',
};

/** The places, each with what deserves a look there. */
export function Navigation({ place }: { readonly place: Place }) {
  const { state, servers, calls, pending } = useWorkbench();
  const troubled = servers.value.filter(
    ({ autoDisabled, connectionState }) => autoDisabled || connectionState === 'error',
  ).length;
  const counts: Readonly<Record<Place, Count | undefined>> = {
    notes: undefined,
    servers: count(troubled + pending.value.length, 'need a look'),
    calls: count(calls.value.active.length, 'running or waiting'),
    settings: undefined,
  };
  return (
    <nav class="navigation" aria-label="Places">
      <p class="brand">
        <strong>Errand</strong>
        <span class="soft small" title={state.value?.vault.folder}>
          {state.value?.vault.name}
        </span>
      </p>
      <ul>
        {(Object.keys(names) as Place[]).map((name) => (
          <li key={name}>
            <a href={hrefTo(name)} aria-current={name === place ? 'page' : undefined}>
              <Icon name={name} />
              <span>{names[name]}</span>
              {counts[name] && (
                <span class="count" title={`${counts[name].number} ${counts[name].meaning}`}>
                  {counts[name].number}
                  <span class="visually-hidden"> {counts[name].meaning}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface Count {
  readonly number: number;
  readonly meaning: string;
}

function count(number: number, meaning: string): Count | undefined {
  return number === 0 ? undefined : { number, meaning };
}
