import { isNoteEditor } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { badgeExtension } from './badge-extension.ts';
import { addBindCommand } from './bind-command.ts';
import { NoteBadges, PartBadges, type ReadingBadgePorts } from './reading-badges.ts';

/** Shows which server the parts of a note are bound to, and lets a person bind them. */
export function addSections(open: OpenPlugin): void {
  const { plugin, vault, changes, blocks } = open;
  const { servers, events } = vault.host;
  plugin.registerEditorExtension(
    badgeExtension({
      context: (documentPath) => servers.noteContext(documentPath),
      scan: (path, text) => blocks.scan(path, text),
      isNoteEditor: (path, view) => isNoteEditor(plugin.app, path, view),
      onChange: (listener) =>
        events.subscribe(({ kind }) => {
          if (kind === 'settings-changed') listener();
        }),
    }),
  );
  const ports: ReadingBadgePorts = {
    context: (documentPath) => servers.noteContext(documentPath),
    onChange: (path, listener) => changes.subscribe(path, listener),
  };
  const badges = new NoteBadges(ports);
  plugin.registerMarkdownPostProcessor((el, context) => {
    const place = () => context.getSectionInfo(el);
    context.addChild(new PartBadges(el, context.sourcePath, ports, badges, place));
  });
  addBindCommand(open);
}
