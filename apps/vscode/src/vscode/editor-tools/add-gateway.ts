import { basename } from 'node:path';
import { EventEmitter, lm, McpHttpServerDefinition, Uri } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

/** As the manifest names it. */
const id = 'errand.gateway';

/** Offers the gateway of every vault to the agents of the editor; it listens when one of them starts it. */
export function addGateway({ context, vaults }: OpenExtension): void {
  // Programs made of the editor's sources may leave language models out.
  if (lm?.registerMcpServerDefinitionProvider === undefined) return;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const changed = new EventEmitter<void>();
  const folders = new Map<string, string>();
  context.subscriptions.push(
    changed,
    vaults.onDidChange(() => changed.fire()),
    lm.registerMcpServerDefinitionProvider(id, {
      onDidChangeMcpServerDefinitions: changed.event,
      async provideMcpServerDefinitions() {
        folders.clear();
        for (const folder of await vaults.folders()) {
          const name = `Errand: ${basename(folder)}`;
          folders.set(folders.has(name) ? `Errand: ${folder}` : name, folder);
        }
        return Array.from(folders.keys(), (label) => definition(label, version));
      },
      async resolveMcpServerDefinition({ label }) {
        const session = await vaults.openFolder(folders.get(label) ?? '');
        if (session === undefined) return undefined;
        const { url, token } = await session.gateway.address();
        const resolved = definition(label, version);
        resolved.uri = Uri.parse(url);
        resolved.headers = { Authorization: `Bearer ${token}` };
        return resolved;
      },
    }),
  );
}

/** Without the port and the token, which the editor would store; both are new in each window. */
function definition(label: string, version: string): McpHttpServerDefinition {
  return new McpHttpServerDefinition(label, Uri.parse('http://127.0.0.1/mcp'), {}, version);
}
