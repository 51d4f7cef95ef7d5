import { openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Ends the session of a note when its last pane is closed: it counts a note since that was opened. */
export function addSessions({ plugin, runs, activity: { sessions } }: OpenPlugin): void {
  const { app } = plugin;
  const tidy = () => {
    for (const { id, note, conversation } of sessions.list()) {
      // A conversation lasts as long as Obsidian is open.
      const isOpen = note === null || conversation !== null || openText(app, note) !== undefined;
      if (!isOpen && runs.count(note) === 0) sessions.close(id);
    }
  };
  plugin.registerEvent(app.workspace.on('layout-change', tidy));
  // One that was closed while something ran.
  plugin.register(runs.subscribe(tidy));
}
