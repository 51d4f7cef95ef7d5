import { z } from 'zod';
import { booleanSchema, connectSchema, text, timeoutSchema, write } from './field-schemas.ts';
import { dockerConfigSchema, localConfigSchema, remoteConfigSchema } from './launch-schemas.ts';
import { findStoredNameMistake } from './server-name.ts';

/**
 * The rule for calls of models: `ask` a person unless the tool is read-only, `always` ask, `allow` all, or
 * `deny` all that are not read-only.
 */
export const approvalRules = ['ask', 'always', 'allow', 'deny'] as const;

const toolNamesSchema = z.array(
  text('the name of a tool, for example "delete_*"'),
  write('a list of tools, for example ["delete_*"]'),
);

const entrySchema = z.object(
  {
    id: text('a unique id, or leave it out'),
    name: z.string(write('a name, for example "notes"')).superRefine((name, context) => {
      const message = findStoredNameMistake(name);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
    transport: z.enum(['stdio', 'sse', 'http'], write('"stdio", "sse" or "http"')),
    deploymentType: z.enum(
      ['local', 'managed', 'external'],
      write('"local" (a command), "managed" (a Docker image) or "external" (a URL)'),
    ),
    localConfig: localConfigSchema.exactOptional(),
    dockerConfig: dockerConfigSchema.exactOptional(),
    httpConfig: remoteConfigSchema.exactOptional(),
    sseConfig: remoteConfigSchema.exactOptional(),
    enabled: booleanSchema.default(false),
    lastConnectedAt: z.number(write('a number, or leave it out')).exactOptional(),
    failureCount: z.int(write('0')).min(0, write('0')).max(3, write('0')).default(0),
    autoDisabled: booleanSchema.default(false),
    sectionBindings: z.array(z.unknown(), write('a list of bindings, or []')).default([]),
    /** The approval rule for calls of models. */
    approval: z.enum(approvalRules, write('"ask", "always", "allow" or "deny"')).exactOptional(),
    /** Milliseconds a call to this server may take instead of the global timeout. */
    timeout: timeoutSchema.exactOptional(),
    /** Milliseconds it may take to start, instead of what its kind is allowed. */
    startTimeout: timeoutSchema.exactOptional(),
    /** When programs that stay connect to it, instead of what holds for all. */
    connect: connectSchema.exactOptional(),
    /** Which of its tools are there for anybody; `*` stands for any characters. */
    tools: z
      .object(
        { allow: toolNamesSchema.exactOptional(), deny: toolNamesSchema.exactOptional() },
        write('an object with "allow" or "deny", for example { "deny": ["delete_*"] }'),
      )
      .exactOptional(),
    /** Pins a stdio server to one protocol era; otherwise the older is tried first. */
    era: z
      .enum(['legacy', 'modern'], write('"legacy" or "modern", or leave it out'))
      .exactOptional(),
  },
  write('an object with name, transport and deploymentType'),
);

/** One entry of `mcpServers`, apart from its bindings, which are read one by one. */
export const serverSchema = entrySchema.superRefine((server, context) => {
  const message = findConfigMistake(server);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Type and transport decide which config an entry needs (S0 1, D1, D2). */
function findConfigMistake(server: z.output<typeof entrySchema>): string | undefined {
  const { deploymentType, transport, dockerConfig } = server;
  if (deploymentType === 'local') {
    if (transport !== 'stdio') {
      return 'A local server speaks over its standard input. Write "transport": "stdio", or "deploymentType": "external" with a URL.';
    }
    if (server.localConfig === undefined) {
      return 'A local server needs a command. Write "localConfig": { "command": "npx", "args": [] }.';
    }
    return undefined;
  }
  if (deploymentType === 'managed') {
    if (dockerConfig === undefined) {
      return 'A managed server needs an image. Write "dockerConfig": { "image": "mcp/weather:1" }.';
    }
    if (transport !== 'stdio' && Object.keys(dockerConfig.ports ?? {}).length === 0) {
      return `A managed server over ${transport} needs a port. Write in "dockerConfig": "ports": { "8080": 0 }.`;
    }
    return undefined;
  }
  if (transport === 'stdio') {
    return 'An external server has a URL. Write "transport": "http" or "sse", or "deploymentType": "local" for a command or "managed" for a Docker image.';
  }
  const config = `${transport}Config` as const;
  if (server[config] !== undefined) return undefined;
  return `An external server over ${transport} needs a URL. Write "${config}": { "url": "https://host.example/${transport === 'sse' ? 'sse' : 'mcp'}" }.`;
}
