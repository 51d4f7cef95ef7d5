/** How a program reaches a server of ours: at an address, with what it has to present there, or by starting it. */
export type ClientEntry =
  | { readonly kind: 'http'; readonly url: string; readonly token?: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** The programs that a configuration can be written for, and where their file has the servers. */
const places = {
  vscode: 'servers',
  'claude-code': 'mcpServers',
  claude: 'mcpServers',
  copilot: 'mcpServers',
  cursor: 'mcpServers',
  windsurf: 'mcpServers',
  codex: 'mcp_servers',
  gemini: 'mcpServers',
  zed: 'context_servers',
  kiro: 'mcpServers',
} as const;

export type McpClientName = keyof typeof places;

/** The names that people type for them. */
export const mcpClientNames = Object.keys(places) as readonly McpClientName[];

/** The part of a client's configuration that lists a server of ours under a name. */
export function writeClientConfig(client: McpClientName, name: string, entry: ClientEntry): string {
  const fields = fieldsOf(client, entry);
  if (client === 'codex') return tomlTable(`${places.codex}.${name}`, fields);
  return `${JSON.stringify({ [places[client]]: { [name]: fields } }, undefined, 2)}\n`;
}

/** Whether a client's file can name an address, and not only a command. */
export function takesAddresses(client: McpClientName): boolean {
  return client !== 'claude';
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(client: McpClientName, entry: ClientEntry): Fields {
  if (entry.kind === 'stdio') {
    const { command, args } = entry;
    return { ...typeOf(client, 'stdio'), command, args };
  }
  const { url, token } = entry;
  const headers = token !== undefined && { Authorization: `Bearer ${token}` };
  return {
    ...typeOf(client, 'http'),
    [urlFields[client] ?? 'url']: url,
    ...(headers && { [client === 'codex' ? 'http_headers' : 'headers']: headers }),
  };
}

function typeOf(client: McpClientName, type: 'http' | 'stdio'): object {
  if (client === 'copilot') return { type: type === 'stdio' ? 'local' : type, tools: ['*'] };
  const isNamed = client === 'vscode' || (client === 'claude-code' && type === 'http');
  return isNamed ? { type } : {};
}

const urlFields: Readonly<Partial<Record<McpClientName, string>>> = {
  windsurf: 'serverUrl',
  gemini: 'httpUrl',
};

/** Texts, lists of them, and tables below; texts and lists are written as in JSON. */
function tomlTable(name: string, fields: Fields): string {
  const entries = Object.entries(fields);
  const isTable = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
  const own = entries.filter(([, value]) => !isTable(value));
  const below = entries.filter(([, value]) => isTable(value));
  return [
    `[${name}]\n`,
    ...own.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`),
    ...below.map(([key, value]) => `\n${tomlTable(`${name}.${key}`, value as Fields)}`),
  ].join('');
}
