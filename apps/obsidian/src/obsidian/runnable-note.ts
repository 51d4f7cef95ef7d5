import { setTimeout as sleep } from 'node:timers/promises';
import { HostError, type NoteStore } from '@errand/host';
import { ensureInVault } from '@errand/machine/node';
import type { App, TFile } from 'obsidian';
import { noteOf, viewsOf, type WriteInEditor } from './open-notes.ts';
import type { OpenPlugin } from './open-plugin.ts';

/** A note whose acting blocks run once, also when another program runs them at the same time. */
export function runnableNote(
  { plugin: { app }, vault }: OpenPlugin,
  note: TFile,
  write?: WriteInEditor,
): NoteStore {
  return {
    ...noteOf(app, note, write),
    async whileRunning(_path, request, work, signal) {
      // Other programs do not run what a link out of the vault leads to.
      if (!isReachable(vault.folder, note.path)) return work('none');
      return vault.whileRunning(
        note.path,
        request,
        async (earlier) => {
          await agreeWithDisk(app, note);
          const outcome = await work(earlier);
          // Whoever waits for the lock reads the file.
          await saveAll(app, note);
          return outcome;
        },
        signal,
      );
    },
  };
}

/** Obsidian notices what others write within a second, and saves what was typed within two. */
const patienceMs = 5_000;
const stepMs = 50;

/**
 * Waits until the panes show what is on the disk: an answer that another program has just written there
 * must be seen before its block is called again.
 */
async function agreeWithDisk(app: App, note: TFile): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let wasKnown = false; ; await sleep(stepMs)) {
    const shown = viewsOf(app, note.path)[0]?.getViewData();
    if (shown === undefined) return;
    if (unified(await app.vault.read(note)) === unified(shown)) return;
    const onDisk = await app.vault.adapter.stat(note.path);
    const isKnown = onDisk === null || Math.abs(onDisk.mtime - note.stat.mtime) < 1;
    // Not in the first round: the panes may be about to read what has just been noticed.
    if (isKnown && wasKnown) await saveAll(app, note);
    wasKnown = isKnown;
    if (performance.now() < deadline) continue;
    if (isKnown) return;
    throw new HostError(
      'note_changed',
      `${note.path} was changed by another program, and Obsidian does not show it yet. Run the block again.`,
    );
  }
}

async function saveAll(app: App, { path }: TFile): Promise<void> {
  for (const view of viewsOf(app, path)) await view.save();
}

/** The text as editors have it. */
function unified(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

function isReachable(vaultFolder: string, path: string): boolean {
  try {
    ensureInVault(vaultFolder, path);
    return true;
  } catch {
    return false;
  }
}
