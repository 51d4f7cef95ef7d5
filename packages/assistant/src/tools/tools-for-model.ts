import type { ToolForModel } from '../turn/ask-model.ts';
import type { DataFence } from '../turn/data-fence.ts';
import type { ToolChoice } from './choose-tools.ts';
import { fenceSchema } from './fence-schema.ts';
import type { NamedTool } from './name-tools.ts';
import { describeSearch, searchToolName, searchToolSchema } from './search-tools.ts';

/** The tools of a round as a model is told of them. What servers say of them stands in a fence. */
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

/** What a model is told of the tools it searched for. */
export function describeFound(found: readonly NamedTool[], fence: DataFence): string {
  if (found.length === 0) return 'No tool fits. Try other words.';
  const lines = found.map(({ name, tool }) => `${name}: ${tool.description}`);
  return fence(lines.join('\n'), 'tools found');
}
