import { defineTool, type ToolContext, type ToolDefinition } from '@errand/server-kit';
import type * as z from 'zod';
import type { Edition } from '../api/bitbucket-api.ts';
import { toMcpError } from '../api/bitbucket-error.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';

/** The groups that tools can be chosen by. */
export const toolsets = [
  'repositories',
  'source',
  'pull_requests',
  'reviews',
  'builds',
  'pipelines',
] as const;

/** What a tool needs of the installation and of the credentials. */
export interface ToolNeeds {
  readonly toolset: (typeof toolsets)[number];
  /** Both when it is absent. */
  readonly serverTypes?: readonly Edition[];
  /** The least version of Data Center, where it is more than 7.16. */
  readonly leastVersion?: string;
  readonly capability: string;
  readonly permission: 'read' | 'write';
  /** What the call asks for, in errors. */
  readonly what: string;
}

const permissions = {
  read: 'the permission to read the repository',
  write: 'the permission to write to the repository or its pull requests',
};

/** Declares a tool of Bitbucket with what it needs; failures of the service become errors of the tool. */
export function bitbucketTool<I extends z.ZodObject, O extends z.ZodType>(
  { facts, failed }: Pick<BitbucketContext, 'facts' | 'failed'>,
  needs: ToolNeeds,
  tool: Parameters<typeof defineTool<I, O>>[0],
): ToolDefinition {
  const { what, serverTypes = ['cloud', 'data-center'], leastVersion = '7.16', ...rest } = needs;
  return defineTool<I, O>({
    ...tool,
    metadata: { ...rest, serverTypes, leastVersion },
    annotations: { openWorldHint: true, ...tool.annotations },
    async handler(input, context: ToolContext) {
      try {
        return await tool.handler(input, context);
      } catch (error) {
        const known = toMcpError(error, facts, {
          what,
          permission: permissions[needs.permission],
        });
        failed(known);
        throw known;
      }
    },
  });
}
