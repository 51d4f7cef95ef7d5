import { type Host, toolParameters } from '@errand/host';
import type { Completion } from '../contract.ts';

/** What the editor can complete, as far as it is known; no server is started for it. */
export function complete({ servers }: Pick<Host, 'servers'>): Completion {
  return {
    servers: servers.list().map(({ id, name, enabled }) => ({
      name,
      enabled,
      tools: servers.knownTools(id).map((tool) => ({
        name: tool.name,
        description: tool.description ?? '',
        parameters: toolParameters(tool).map((parameter) => ({
          name: parameter.name,
          type: parameter.type,
          isRequired: parameter.isRequired,
          description: parameter.description,
          choices: parameter.choices ?? [],
        })),
      })),
    })),
  };
}
