import {
  type Decision,
  type NoteScan,
  type RequestCursor,
  resolveSections,
} from '@errand/document';
import { suggestNames, suggestValues } from './suggest-parameters.ts';
import { suggestServers } from './suggest-servers.ts';
import { suggestTools } from './suggest-tools.ts';
import { remark, type Suggestion, type SuggestionContext } from './suggestion.ts';

/** The suggestions for a cursor in a request, best first. */
export function suggest(
  scan: NoteScan,
  cursor: RequestCursor,
  context: SuggestionContext,
): readonly Suggestion[] {
  const decision = resolveSections(scan, context).decide(cursor.line);
  if (cursor.kind === 'server') {
    const all =
      decision.kind === 'refused'
        ? [remark('No server may be called here', decision.message)]
        : suggestServers(scan, cursor, decision, context);
    return matching(all, cursor.typed, 0);
  }
  const server = serverOf(cursor, decision, context);
  if (server === undefined) return [];
  if (cursor.kind === 'value' && cursor.name === 'tool' && !cursor.isToolNamedAbove) {
    const tools = forbidden(decision, server.name) ?? suggestTools(scan, cursor, server, context);
    return matching(tools, cursor.typed);
  }
  const tool = context.tools(server.id).find(({ name }) => name === cursor.tool);
  return cursor.kind === 'name'
    ? matching(suggestNames(cursor, tool), cursor.typed)
    : matching(suggestValues(scan, cursor, tool), cursor.typed.replace(/^["']/, ''));
}

/** The row shown instead of tools where a section does not allow the server. */
function forbidden(decision: Decision, server: string): readonly Suggestion[] | undefined {
  if (decision.kind === 'refused') {
    return [remark('No server may be called here', decision.message)];
  }
  if (decision.kind === 'unbound' || decision.server === server) return undefined;
  return [
    remark(`This section is bound to ${decision.server}`, `${server} may not be asked here.`),
  ];
}

/** The server that a block calls. */
function serverOf(
  { language }: RequestCursor,
  decision: Decision,
  { servers }: SuggestionContext,
): SuggestionContext['servers'][number] | undefined {
  if (!isSame(language, 'mcp')) return servers.find(({ name }) => isSame(name, language));
  return decision.kind === 'bound'
    ? servers.find(({ name }) => name === decision.server)
    : servers.find(({ enabled }) => enabled);
}

/**
 * The suggestions that contain the typed text, those that begin with it first. Rows that write nothing are
 * left out once something is typed, because they would take the Enter key.
 */
function matching(
  all: readonly Suggestion[],
  typed: string,
  last = Number.POSITIVE_INFINITY,
): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const rank = ({ label, choice }: Suggestion) =>
    choice.kind !== 'write' && typed !== '' ? -1 : label.toLowerCase().indexOf(wanted);
  const ranked = all.map((each) => ({ each, at: rank(each) }));
  const fitting = ranked.filter(({ at }) => at >= 0 && at <= last);
  const first = fitting.filter(({ at }) => at === 0);
  return [...first, ...fitting.filter(({ at }) => at > 0)].map(({ each }) => each);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
