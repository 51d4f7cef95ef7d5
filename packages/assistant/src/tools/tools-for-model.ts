import type { ToolForModel } from '../turn/ask-model.ts';
import type { DataFence } from '../turn/data-fence.ts';
import type { ToolChoice } from './choose-tools.ts';
import { fenceSchema } from './fence-schema.ts';
import type { NamedTool } from './name-tools.ts';
import { describeSearch, searchToolName, searchToolSchema } from './search-tools.ts';

/** Describes the tools of a round to a model, with the servers' own text fenced. */
export function toolsForModel(
  { offered, others }: ToolChoice,
  fence: DataFence,
): readonly ToolForModel[] {
  const tools = offered.map(({ name, tool: { toolName, description, inputSchema } }) => ({
    name,
    description: fence(description, toolName),
    inputSchema: fenceSchema(inputSchema, fence),
  }));
  if (others.length === 0) return tools;
  const description = describeSearch(others, fence);
  return [...tools, { name: searchToolName, description, inputSchema: searchToolSchema }];
}

/** Describes the tools that a search found. */
export function describeFound(found: readonly NamedTool[], fence: DataFence): string {
  if (found.length === 0) return 'No tool fits. Try other words.';
  const lines = found.map(({ name, tool }) => `${name}: ${tool.description}`);
  return fence(lines.join('\n'), 'tools found');
}
