import { type Decision, type NoteScan, type RequestPlace, resolveSections } from '@errand/document';
import { suggestNames, suggestValues } from './suggest-parameters.ts';
import { suggestServers } from './suggest-servers.ts';
import { suggestTools } from './suggest-tools.ts';
import { remark, type Suggestion, type WritingContext } from './writing.ts';

/** What can be written at a place of a request, the best first. */
export function suggest(
  scan: NoteScan,
  place: RequestPlace,
  context: WritingContext,
): readonly Suggestion[] {
  const decision = resolveSections(scan, context).decide(place.line);
  if (decision.kind === 'refused') {
    if (place.kind !== 'server' && !isRequest(place, context)) return [];
    return [remark('No server may be asked in this section', decision.message)];
  }
  if (place.kind === 'server') {
    return matching(suggestServers(scan, place, decision, context), place.typed);
  }
  const server = serverOf(place, decision, context);
  if (server === undefined) return [];
  if (decision.kind === 'bound' && decision.server !== server.name) {
    return [
      remark(
        `This section is bound to ${decision.server}`,
        `${server.name} may not be asked here.`,
      ),
    ];
  }
  if (place.kind === 'value' && place.name === 'tool' && !place.isToolNamedAbove) {
    return matching(suggestTools(scan, place, server, context), place.typed);
  }
  const tool = context.tools(server.id).find(({ name }) => name === place.tool);
  return place.kind === 'name'
    ? matching(suggestNames(place, tool), place.typed)
    : matching(suggestValues(scan, place, tool), place.typed.replace(/^["']/, ''));
}

function isRequest({ language }: RequestPlace, { servers }: WritingContext): boolean {
  return language === 'mcp' || servers.some(({ name }) => isSame(name, language));
}

/** The server that a block asks. */
function serverOf(
  { language }: RequestPlace,
  decision: Exclude<Decision, { readonly kind: 'refused' }>,
  { servers }: WritingContext,
): WritingContext['servers'][number] | undefined {
  if (!isSame(language, 'mcp')) return servers.find(({ name }) => isSame(name, language));
  return decision.kind === 'bound'
    ? servers.find(({ name }) => name === decision.server)
    : servers.find(({ enabled }) => enabled);
}

/** Those that go with what is typed: first those that begin with it. What is no choice always stays. */
function matching(all: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const rank = ({ label, choice }: Suggestion) => {
    if (choice.kind !== 'write') return 0;
    const at = label.toLowerCase().indexOf(wanted);
    return at > 0 ? 1 : at;
  };
  return all.filter((each) => rank(each) >= 0).toSorted((one, other) => rank(one) - rank(other));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
