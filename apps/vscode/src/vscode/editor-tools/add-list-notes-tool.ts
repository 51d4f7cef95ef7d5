import { posix } from 'node:path';
import { LanguageModelTextPart, LanguageModelToolResult, lm, workspace } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

/** As the manifest names it. */
const name = 'errand_list_notes';

const most = 500;

/** Adds the one tool of the extension itself: what Markdown files there are. It changes nothing, so nobody is asked. */
export function addListNotesTool({ context }: OpenExtension): void {
  if (lm?.registerTool === undefined) return;
  context.subscriptions.push(
    lm.registerTool<object>(name, {
      async invoke(_, token) {
        const files = await workspace.findFiles('**/*.md', '**/node_modules/**', most, token);
        const notes = await Promise.all(
          files.map(async (uri) => ({
            note: workspace.asRelativePath(uri),
            bytes: (await workspace.fs.stat(uri)).size,
          })),
        );
        notes.sort((a, b) => (posix.normalize(a.note) < posix.normalize(b.note) ? -1 : 1));
        return new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(notes))]);
      },
    }),
  );
}
