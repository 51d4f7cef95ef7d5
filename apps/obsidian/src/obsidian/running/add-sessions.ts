import { openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Ends the session of a note when its last pane is closed: a session is a note since it was opened. */
export function addSessions({ plugin, runs, activity: { sessions } }: OpenPlugin): void {
  const { app } = plugin;
  const tidy = () => {
    for (const { id, note } of sessions.list()) {
      const isOpen = note === null || openText(app, note) !== undefined;
      if (!isOpen && runs.countOf(note) === 0) sessions.close(id);
    }
  };
  plugin.registerEvent(app.workspace.on('layout-change', tidy));
  // One that was closed while something ran.
  plugin.register(runs.subscribe(tidy));
}
