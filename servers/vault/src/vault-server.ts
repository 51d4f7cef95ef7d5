import { defineServer } from '@errand/server-kit';
import manifest from '../package.json' with { type: 'json' };
import { cacheFolder } from './cache-folder.ts';
import { Turns } from './files/turns.ts';
import { openVault } from './files/vault.ts';
import { vaultLock } from './files/vault-lock.ts';
import { IndexClient } from './index/index-client.ts';
import { appendToNoteTool } from './tools/append-to-note.ts';
import { deleteNoteTool } from './tools/delete-note.ts';
import { getBacklinksTool } from './tools/get-backlinks.ts';
import { getOutlineTool } from './tools/get-outline.ts';
import { listNotesTool } from './tools/list-notes.ts';
import { listTagsTool } from './tools/list-tags.ts';
import { moveNoteTool } from './tools/move-note.ts';
import { patchNoteTool } from './tools/patch-note.ts';
import { readNoteTool } from './tools/read-note.ts';
import { searchNotesTool } from './tools/search-notes.ts';
import { updateFrontmatterTool } from './tools/update-frontmatter.ts';
import { writeNoteTool } from './tools/write-note.ts';
import { vaultHealth } from './vault-health.ts';

/** Long enough for a client that wants one quick answer to have it and go. */
const indexDelay = 300;

/** The server of one folder of notes. */
export const vaultServer = defineServer({
  name: 'errand-vault',
  version: manifest.version,
  title: 'Errand vault',
  instructions:
    'Notes are Markdown files with YAML frontmatter, named by their path from the vault. Find them with search_notes or list_notes before reading. When changing a note, give the etag from reading it as if_match.',
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
    const cache = cacheFolder(vault.root);
    const lock = vaultLock(cache);
    const index = new IndexClient({ vault, cache });
    const context = { vault, lock, turns: new Turns(), index };
    const starting = setTimeout(() => index.start(), indexDelay).unref();
    const tools = [
      readNoteTool,
      writeNoteTool,
      updateFrontmatterTool,
      appendToNoteTool,
      patchNoteTool,
      listNotesTool,
      searchNotesTool,
      moveNoteTool,
      deleteNoteTool,
      listTagsTool,
      getBacklinksTool,
      getOutlineTool,
    ].map((tool) => tool(context));
    return {
      tools,
      health: (signal) => vaultHealth(context, signal),
      async stop() {
        clearTimeout(starting);
        await index[Symbol.asyncDispose]();
      },
    };
  },
});
