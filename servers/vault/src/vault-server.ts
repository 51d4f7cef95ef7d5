import { defineServer } from '@errand/server-kit';
import { openVault } from './files/vault.ts';
import { listNotesTool } from './tools/list-notes.ts';
import { readNoteTool } from './tools/read-note.ts';

/** The server of one folder of notes. */
export const vaultServer = defineServer({
  name: 'errand-vault',
  version: '0.1.0',
  title: 'Errand vault',
  options: {
    vault: {
      value: 'DIR',
      env: 'VAULT_PATH',
      required: true,
      description: 'The folder of notes to serve',
    },
  },
  start({ options }) {
    const vault = openVault(options.vault);
    return { tools: [listNotesTool(vault), readNoteTool(vault)] };
  },
});
