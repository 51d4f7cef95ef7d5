import { oneLine } from '@errand/host';
import { EventEmitter, Uri, window, workspace } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

const scheme = 'errand-hooks';

/** Lets texts about hooks be read in editors; the same title is shown in the same one. */
export function addHookTexts({
  context,
}: OpenExtension): (title: string, text: string) => Promise<void> {
  const texts = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  context.subscriptions.push(
    changed,
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
  );
  return async (title, text) => {
    // A slash in a name would begin a folder.
    const path = `/${oneLine(title, 100).replaceAll('/', '∕')}`;
    const uri = Uri.from({ scheme, path });
    texts.set(uri.toString(), text);
    changed.fire(uri);
    await window.showTextDocument(uri, { preview: true });
  };
}
