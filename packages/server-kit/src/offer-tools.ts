import type { McpServer, StandardSchemaWithJSON, Tool } from '@modelcontextprotocol/server';
import type { SharedByClients } from './build-sdk-server.ts';
import { healthCheckName } from './health-check-tool.ts';
import type { RegisteredTool } from './tool-table.ts';

/** Lists only the tools that can be used now; the others can still be called, and then say why not. */
export function offerTools(server: McpServer, shared: SharedByClients): void {
  server.server.setRequestHandler('tools/list', async (_, context) => {
    const all = [...shared.tools.values()];
    const reasons = await Promise.all(
      all.map(({ tool }) =>
        tool.name === healthCheckName
          ? undefined
          : shared.whyNotOffered(tool, context.mcpReq.signal),
      ),
    );
    return { tools: all.filter((_tool, index) => reasons[index] === undefined).map(listed) };
  });
}

function listed({ tool, listedInput, listedOutput }: RegisteredTool): Tool {
  const { name, title, description, annotations, metadata } = tool;
  return {
    name,
    description,
    inputSchema: jsonSchema(listedInput, 'input'),
    ...(title !== undefined && { title }),
    ...(annotations !== undefined && { annotations }),
    ...(metadata !== undefined && { _meta: { ...metadata } }),
    ...(listedOutput !== undefined && { outputSchema: jsonSchema(listedOutput, 'output') }),
  };
}

function jsonSchema(schema: StandardSchemaWithJSON, io: 'input' | 'output') {
  const made = schema['~standard'].jsonSchema[io]({ target: 'draft-2020-12' });
  return { type: 'object' as const, ...made };
}
