import type { WorkbenchState } from '../../contract.ts';
import type { Place, Route } from '../model/route.ts';

export const placeNames: Readonly<Record<Place, string>> = {
  notes: 'Notes',
  servers: 'Servers',
  calls: 'Calls',
  assistant: 'Assistant',
  settings: 'Settings',
};

/** What the browser's tab says: what is open, where, and in which vault. */
export function titleOf({ place, item }: Route, state: WorkbenchState | undefined): string {
  const parts = [openItem(place, item, state), placeNames[place], state?.vault.name, 'Errand'];
  return parts.filter(Boolean).join(' · ');
}

function openItem(place: Place, item: string, state: WorkbenchState | undefined) {
  if (item === '') return undefined;
  if (place === 'notes' || place === 'assistant')
    return item.split('/').at(-1)?.replace(/\.md$/i, '');
  if (place === 'servers') return state?.servers.find(({ id }) => id === item)?.name;
  return place === 'calls' ? 'A call' : undefined;
}
