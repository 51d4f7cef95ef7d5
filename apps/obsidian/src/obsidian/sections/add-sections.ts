import type { OpenPlugin } from '../open-plugin.ts';
import { badgeExtension } from './badge-extension.ts';

/** Shows which server the parts of a note are bound to. */
export function addSections({ plugin, vault }: OpenPlugin): void {
  const { servers, events } = vault.host;
  plugin.registerEditorExtension(
    badgeExtension({
      servers: () => servers.list(),
      onChange: (listener) =>
        events.subscribe(({ kind }) => {
          if (kind === 'settings-changed') listener();
        }),
    }),
  );
}
