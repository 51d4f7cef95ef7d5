import type { ToolDefinition } from './define-tool.ts';
import { healthCheckName } from './health-check-tool.ts';
import { StartError } from './start-error.ts';

/** Which tools of a server somebody wants to offer; all when nothing is said. */
export interface ToolSelection {
  readonly isReadOnly: boolean;
  readonly names: readonly string[];
  /** Groups, which tools name in their metadata. */
  readonly toolsets: readonly string[];
}

/** The tools that were chosen; the health check always stays. What does not exist cannot be chosen. */
export function selectTools(
  tools: readonly ToolDefinition[],
  { isReadOnly, names, toolsets }: ToolSelection,
): readonly ToolDefinition[] {
  const known = tools.map(({ name }) => name);
  const groups = [...new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []))];
  refuseUnknown('--tools', names, [...known, healthCheckName]);
  refuseUnknown('--toolsets', toolsets, groups);
  const isChosen = (tool: ToolDefinition) =>
    (names.length === 0 && toolsets.length === 0) ||
    names.includes(tool.name) ||
    toolsets.includes(toolsetOf(tool) ?? '');
  return tools.filter(
    (tool) =>
      tool.name === healthCheckName ||
      (isChosen(tool) && (!isReadOnly || tool.annotations?.readOnlyHint === true)),
  );
}

function toolsetOf({ metadata }: ToolDefinition): string | undefined {
  return typeof metadata?.toolset === 'string' ? metadata.toolset : undefined;
}

function refuseUnknown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const names = known.length === 0 ? 'This server has none.' : `There are: ${known.join(', ')}.`;
  throw new StartError('usage', `${option}: ${unknown.join(', ')} is not known. ${names}`);
}
