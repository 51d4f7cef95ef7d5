import { type OfferedTool, offeredPrefix } from '@errand/host';
import { isRecord } from '@errand/wire';
import { type ContentCatalog, readQualifiedUri } from './content-catalog.ts';
import type { ContentServer, GatewayContent } from './gateway-host.ts';

/** A server, and what a resource or a prompt is called there. */
export interface ContentRoute {
  readonly server: ContentServer;
  readonly key: string;
}

/** What decides whose a prompt or a resource is. */
export interface RouteSources {
  readonly catalog: ContentCatalog;
  readonly content: GatewayContent;
  readonly tools: () => readonly OfferedTool[];
}

/** The prompt that a client means by a name; undefined when no server can have it. */
export function routePrompt(name: string, sources: RouteSources): ContentRoute | undefined {
  const known = sources.catalog.known('prompts').find(({ key }) => key === name);
  if (known !== undefined) return { server: known.server, key: String(known.item.name) };
  // A client may know the name from last time, before any list was read.
  for (const server of sources.content.servers()) {
    const prefix = offeredPrefix(server.name);
    const isOf = server.features.prompts && name.startsWith(prefix);
    if (isOf) return { server, key: name.slice(prefix.length) };
  }
  return undefined;
}

/**
 * The server that an address belongs to. Addresses are passed on as they are, so that those in results lead
 * somewhere; what is not listed goes to the one server whose templates or tools name it, or whose scheme it has.
 * It is never tried out on several servers: an address can be a secret.
 */
export async function routeResource(
  uri: string,
  sources: RouteSources,
): Promise<ContentRoute | undefined> {
  const having = sources.content.servers().filter(({ features }) => features.resources);
  const named = readQualifiedUri(uri);
  if (named !== undefined) {
    const server = having.find(({ name }) => name === named.server);
    return server && { server, key: named.uri };
  }
  const { catalog } = sources;
  const isListed = () => catalog.known('resources').find(({ key }) => key === uri);
  if (isListed() === undefined) {
    await Promise.all([catalog.list('resources'), catalog.list('resourceTemplates')]);
  }
  const templates = catalog.known('resourceTemplates');
  const server =
    isListed()?.server ??
    templates.find(({ key }) => fitsTemplate(key, uri))?.server ??
    ofTool(uri, having, sources.tools()) ??
    ofScheme(uri, having, [...catalog.known('resources'), ...templates]);
  return server && { server, key: uri };
}

/** The server one of whose tools is shown with this resource. */
function ofTool(
  uri: string,
  having: readonly ContentServer[],
  tools: readonly OfferedTool[],
): ContentServer | undefined {
  const owner = tools.find(({ tool: { _meta } }) => {
    const ui = isRecord(_meta?.ui) ? _meta.ui.resourceUri : _meta?.['ui/resourceUri'];
    return ui === uri;
  });
  return having.find(({ id }) => id === owner?.server.id);
}

function ofScheme(
  uri: string,
  having: readonly ContentServer[],
  listed: readonly { readonly server: ContentServer; readonly key: string }[],
): ContentServer | undefined {
  if (having.length === 1) return having[0];
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase();
  if (scheme === undefined) return undefined;
  const owners = listed.filter(({ key }) => key.toLowerCase().startsWith(scheme));
  const ids = new Set(owners.map(({ server }) => server.id));
  return ids.size === 1 ? owners[0]?.server : undefined;
}

/** Whether an address can come from a template (RFC 6570): its fixed parts are there, in their order. */
export function fitsTemplate(template: string, uri: string): boolean {
  const parts = template.split(/\{[^{}]*\}/);
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return template === uri;
  // A template without a scheme would claim the addresses of all servers.
  if (!(first.includes(':') && uri.startsWith(first))) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = uri.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return uri.length - last.length >= at && uri.endsWith(last);
}
