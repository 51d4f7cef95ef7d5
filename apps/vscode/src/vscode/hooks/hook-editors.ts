import { randomBytes } from 'node:crypto';
import { oneLine } from '@errand/host';
import { Throttle } from '@errand/workspace/events';
import { Uri, ViewColumn, type Webview, type WebviewPanel, window } from 'vscode';
import { type EditorMessage, type PageMessage, pageMethods } from '../../hooks/editor-messages.ts';
import { describeThrown } from '../../text/advice.ts';
import type { VaultSession } from '../../vault-session.ts';
import type { OpenExtension } from '../open-extension.ts';

/** What a page is about: a hook, or a new one. */
interface EditedHook {
  readonly id: string;
  readonly name: string;
}

export interface HookEditorsPorts {
  /** Asks a person whether a hook may be removed, and removes it; resolves with whether it was. */
  readonly remove: (session: VaultSession, hook: EditedHook) => Promise<boolean>;
}

/** Opens the page that writes a hook; one for each hook, and one for a new one. */
export function addHookEditors(
  { context, notices }: OpenExtension,
  { remove }: HookEditorsPorts,
): (session: VaultSession, hook: EditedHook | undefined) => void {
  const panels = new Map<string, WebviewPanel>();
  context.subscriptions.push({
    dispose() {
      for (const panel of panels.values()) panel.dispose();
    },
  });
  return (session, hook) => {
    const key = `${session.folder}\n${hook?.id ?? ''}`;
    const open = panels.get(key);
    if (open !== undefined) return open.reveal();
    const built = Uri.joinPath(context.extensionUri, 'webview');
    const title = hook === undefined ? 'New Hook' : oneLine(hook.name, 100);
    const panel = window.createWebviewPanel('errand.hook', title, ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [built],
      // What is typed and not stored must not be lost when another tab is looked at.
      retainContextWhenHidden: true,
    });
    panels.set(key, panel);
    const closed = answerPage(panel, session, {
      remove: async (id) => {
        const isRemoved = await remove(session, { id, name: panel.title });
        if (isRemoved) panel.dispose();
      },
      onFault: notices.fail,
      onSaved(saved) {
        panel.title = oneLine(saved.name, 100);
        for (const [at, each] of panels) if (each === panel) panels.delete(at);
        panels.set(`${session.folder}\n${saved.id}`, panel);
      },
    });
    panel.onDidDispose(() => {
      closed();
      for (const [at, each] of panels) if (each === panel) panels.delete(at);
    });
    panel.webview.html = pageText(panel.webview, built, hook?.id);
  };
}

interface PageEvents {
  readonly remove: (hook: string) => Promise<void>;
  readonly onSaved: (hook: EditedHook) => void;
  readonly onFault: (error: unknown) => void;
}

/** Answers what a page asks, until what it returns is called. */
function answerPage(
  { webview }: WebviewPanel,
  session: VaultSession,
  { remove, onSaved, onFault }: PageEvents,
): () => void {
  const asked = new Map<number, AbortController>();
  const tell = (message: EditorMessage) => void webview.postMessage(message);
  const answer = async (message: Extract<PageMessage, { readonly kind: 'ask' }>) => {
    const { id, method, params } = message;
    const asking = new AbortController();
    asked.set(id, asking);
    try {
      if (!pageMethods.includes(method)) throw new Error(`The page may not ask "${method}".`);
      const value =
        method === 'remove'
          ? await remove(params.hook)
          : await session.hooks.ask(method, params, asking.signal);
      tell({ kind: 'answer', id, value });
    } catch (error) {
      tell({ kind: 'failure', id, message: describeThrown(error) });
    } finally {
      asked.delete(id);
    }
  };
  const hearing = webview.onDidReceiveMessage((message: PageMessage) => {
    if (message.kind === 'ask') void answer(message);
    else if (message.kind === 'cancel') asked.get(message.id)?.abort();
    else onSaved({ id: message.hook, name: message.name });
  });
  const throttle = new Throttle(onFault);
  const unsubscribe = session.vault.host.events.subscribe(({ kind }) => {
    if (!['server-changed', 'tools-changed', 'settings-changed'].includes(kind)) return;
    throttle.run('tools', () => tell({ kind: 'tools-changed' }));
  });
  return () => {
    hearing.dispose();
    unsubscribe();
    throttle[Symbol.dispose]();
    for (const asking of asked.values()) asking.abort();
  };
}

/** The page: scripts and styles of the extension alone, and nothing from elsewhere. */
function pageText(webview: Webview, built: Uri, hook: string | undefined): string {
  const address = (name: string) => webview.asWebviewUri(Uri.joinPath(built, name)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${address('hook-editor.css')}">
<title>Hook</title>
</head>
<body${hook === undefined ? '' : ` data-hook="${escaped(hook)}"`}>
<script type="module" nonce="${nonce}" src="${address('hook-editor.js')}"></script>
</body>
</html>`;
}

/** An id may be anything that a stranger wrote. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
