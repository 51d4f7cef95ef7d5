import type { ServerConfig } from '@errand/host';
import type { KnownTools } from '@errand/workspace/suggestions';
import { Notice } from 'obsidian';
import { ensureTrust } from '../ask-trust.ts';
import { showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { type OfferedTool, ToolModal } from './tool-modal.ts';

/** Dependencies of the tool picker. */
export interface ToolChoicePorts {
  readonly open: OpenPlugin;
  readonly tools: KnownTools;
  /** Aborted when the plugin is disabled. */
  readonly closing: AbortSignal;
}

/**
 * Lets a person choose a tool of some servers. Those that were agreed to are started for it, and their
 * tools appear as they come; one that nobody agreed to is started only when the person chooses it.
 */
export function chooseTool(
  ports: ToolChoicePorts,
  servers: readonly ServerConfig[],
  onChoose: (chosen: Required<OfferedTool>) => void,
): void {
  const { open, tools, closing } = ports;
  const { plugin, vault } = open;
  const waiting = new AbortController();
  const offered = () =>
    servers.flatMap((server): OfferedTool[] => {
      const known = tools.of(server.id);
      return known.length === 0 ? [{ server }] : known.map((tool) => ({ server, tool }));
    });
  const modal = new ToolModal(plugin.app, offered, ({ server, tool }) => {
    if (tool !== undefined) return onChoose({ server, tool });
    void startServer(ports, server)
      .then((isStarted) => isStarted && chooseTool(ports, [server], onChoose))
      .catch(showFailure);
  });
  modal.setCloseCallback(() => waiting.abort());
  closing.addEventListener('abort', () => modal.close(), { signal: waiting.signal });
  modal.open();
  for (const server of servers) {
    if (tools.of(server.id).length > 0 || vault.trust.verdict(server) !== 'trusted') continue;
    const listed = vault.host.servers.tools(server.id, waiting.signal);
    // Why one cannot be started is said when the person chooses it.
    listed.then(() => modal.refresh()).catch(() => {});
  }
}

/** Starts a server for its tools; false when the person does not agree to it. */
export async function startServer(
  { open, closing }: ToolChoicePorts,
  server: ServerConfig,
): Promise<boolean> {
  if (!(await ensureTrust(open, [server], 'Agree and start'))) return false;
  const notice = new Notice(`Starting ${server.name}…`, 0);
  try {
    const tools = await open.vault.host.servers.tools(server.id, closing);
    if (tools.length === 0) throw new Error(`Server ${server.name} has no tools.`);
    return true;
  } finally {
    notice.hide();
  }
}
