import { HostError } from '@errand/host';

/** Says of each tool whether a client may see and call it. */
export type ToolFilter = (server: string, tool: string) => boolean;

/** Makes a client's filter from its query (`note`, `line`, and `client` by its token); an error says why it is offered nothing. */
export type ScopeOf = (
  query: URLSearchParams,
) => ToolFilter | HostError | Promise<ToolFilter | HostError>;

/** The filter for a query; without one everything is offered. */
export async function filterFor(
  query: string,
  scopeOf: ScopeOf | undefined,
): Promise<ToolFilter | HostError | undefined> {
  const parameters = new URLSearchParams(query);
  if (!parameters.has('note') && !parameters.has('client')) return undefined;
  // Ignoring the restriction would offer more tools than were asked for.
  return scopeOf === undefined ? noScopes() : await scopeOf(parameters);
}

function noScopes(): HostError {
  return new HostError(
    'section_forbids',
    'This gateway cannot limit its tools to a note. Leave "note" out of the address to be offered all of them.',
  );
}
