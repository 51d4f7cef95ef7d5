import type { ToolDescription } from '@errand/host';
import { findParamHeaders, type ParamHeader, paramHeaders } from '@errand/wire';

/** Remembers which parameters of which tools are also sent as headers. */
export class ToolHeaders {
  #byTool = new Map<string, readonly ParamHeader[]>();

  /** Learns from a list of tools; those that declare headers wrongly come back as broken. */
  learn(tools: readonly ToolDescription[]): readonly ToolDescription[] {
    this.#byTool = new Map();
    return tools.map((tool) => {
      const found = findParamHeaders(tool.inputSchema);
      if (typeof found === 'string') return { ...tool, broken: tool.broken ?? found };
      if (found.length > 0) this.#byTool.set(tool.name, found);
      return tool;
    });
  }

  of(tool: string, input: Readonly<Record<string, unknown>>): Record<string, string> {
    return paramHeaders(this.#byTool.get(tool) ?? [], input);
  }
}
