import type { WorkbenchState } from '../../contract.ts';
import type { PageName, Route } from '../model/route.ts';

export const pageTitles: Readonly<Record<PageName, string>> = {
  notes: 'Notes',
  servers: 'Servers',
  calls: 'Calls',
  hooks: 'Hooks',
  mail: 'Mail',
  assistant: 'Assistant',
  settings: 'Settings',
};

/** The document title: open item, page and vault. */
export function titleOf({ page, item }: Route, state: WorkbenchState | undefined): string {
  const parts = [openItem(page, item, state), pageTitles[page], state?.vault.name, 'Errand'];
  return parts.filter(Boolean).join(' · ');
}

function openItem(page: PageName, item: string, state: WorkbenchState | undefined) {
  if (item === '') return undefined;
  if (page === 'notes' || page === 'assistant')
    return item.split('/').at(-1)?.replace(/\.md$/i, '');
  if (page === 'servers') return state?.servers.find(({ id }) => id === item)?.name;
  return page === 'calls' ? 'A call' : undefined;
}
