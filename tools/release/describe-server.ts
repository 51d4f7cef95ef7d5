import type { PublicPackage, ServerOption } from './public-packages.ts';
import type { Manifest } from './read-manifest.ts';

/** The name space of our servers in the MCP registry, whose owner alone may publish there. */
const registrySpace = 'io.github.errand';

/** The name of a server in the MCP registry; its package has to repeat it as `mcpName`. */
export function registryName(published: PublicPackage): string {
  return `${registrySpace}/${programOf(published)}`;
}

/** `server.json`, by which the MCP registry lists a server. */
export function serverJson(published: PublicPackage, { name, version, description }: Manifest) {
  const { title, options } = published.server ?? missing(published);
  const inputs = options.map((option) => [option, inputOf(option)] as const);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(published),
    title,
    description,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: inputs.flatMap(([{ flag }, input]) =>
          flag === undefined ? [] : [{ type: 'named', name: flag, ...input }],
        ),
        environmentVariables: inputs.flatMap(([{ env }, input]) =>
          env === undefined ? [] : [{ name: env, ...input }],
        ),
      },
    ],
  };
}

/** `manifest.json` of the bundle by which Claude Desktop installs a server. */
export function bundleManifest(
  published: PublicPackage,
  { version, description }: Manifest,
  tools: readonly { readonly name: string; readonly description?: string | undefined }[],
) {
  const { title, options } = published.server ?? missing(published);
  const placeholderOf = ({ name }: ServerOption) => `\${user_config.${name}}`;
  const variables = options.flatMap((option) =>
    option.env === undefined ? [] : [[option.env, placeholderOf(option)] as const],
  );
  return {
    manifest_version: '0.3',
    name: `errand-${programOf(published)}`,
    display_name: title,
    version,
    description,
    author: { name: 'Errand' },
    license: 'MIT',
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: [
          `\${__dirname}/dist/main.js`,
          ...options.flatMap((option) =>
            option.flag === undefined ? [] : [option.flag, placeholderOf(option)],
          ),
        ],
        env: Object.fromEntries(variables),
      },
    },
    tools: tools.map(({ name, description: says = '' }) => ({ name, description: says })),
    compatibility: { runtimes: { node: '>=22.16.0' } },
    user_config: Object.fromEntries(
      options.map(({ name, kind, title: label, description: help, isRequired }) => [
        name,
        {
          type: kind === 'directory' ? 'directory' : 'string',
          title: label,
          description: help,
          required: isRequired,
          // Without a default, the placeholder itself would be the value.
          ...(!isRequired && { default: '' }),
          ...(kind === 'secret' && { sensitive: true }),
        },
      ]),
    ),
  };
}

function inputOf({ kind, description, isRequired }: ServerOption) {
  return {
    description,
    isRequired,
    format: kind === 'directory' ? 'filepath' : 'string',
    ...(kind === 'secret' && { isSecret: true }),
  };
}

function programOf({ folder }: PublicPackage): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

function missing({ folder }: PublicPackage): never {
  throw new Error(`${folder} is not a server.`);
}
