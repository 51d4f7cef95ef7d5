import { defineServer } from '@errand/server-kit';
import { cacheFolder } from './cache-folder.ts';
import { Turns } from './files/turns.ts';
import { openVault } from './files/vault.ts';
import { vaultLock } from './files/vault-lock.ts';
import { appendToNoteTool } from './tools/append-to-note.ts';
import { deleteNoteTool } from './tools/delete-note.ts';
import { getOutlineTool } from './tools/get-outline.ts';
import { listNotesTool } from './tools/list-notes.ts';
import { moveNoteTool } from './tools/move-note.ts';
import { patchNoteTool } from './tools/patch-note.ts';
import { readNoteTool } from './tools/read-note.ts';
import { updateFrontmatterTool } from './tools/update-frontmatter.ts';
import { writeNoteTool } from './tools/write-note.ts';

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
    const lock = vaultLock(cacheFolder(vault.root));
    const context = { vault, lock, turns: new Turns() };
    const tools = [
      readNoteTool,
      writeNoteTool,
      updateFrontmatterTool,
      appendToNoteTool,
      patchNoteTool,
      listNotesTool,
      moveNoteTool,
      deleteNoteTool,
      getOutlineTool,
    ].map((tool) => tool(context));
    return { tools, stop: () => lock[Symbol.dispose]() };
  },
});
