/** How another program stores its servers. */
export interface ForeignProgram {
  readonly title: string;
  /** Where in the file an object of servers may stand, most usual first. */
  readonly places: readonly (readonly string[])[];
  readonly variables: VariableSyntax;
  /** The transport of a URL without a type; other programs try http first. */
  readonly plainUrl?: 'sse';
  /** The unit of `timeout`, where the program has that field. */
  readonly timeoutUnit?: 'milliseconds';
}

/**
 * What a program replaces in its texts. `editor`: `${env:NAME}`, `${input:id}`, `${workspaceFolder}`.
 * `braces`: `${NAME}` and `${NAME:-default}`. `dollars`: those and `$NAME`. `both`: the first two.
 */
export type VariableSyntax = 'editor' | 'braces' | 'dollars' | 'both' | 'none';

/** The programs whose files can be read, by the name people type. */
export const foreignPrograms = {
  vscode: {
    title: 'VS Code',
    places: [
      ['servers'],
      ['mcp', 'servers'],
      ['settings', 'mcp', 'servers'],
      ['customizations', 'vscode', 'mcp', 'servers'],
    ],
    variables: 'editor',
  },
  'claude-code': { title: 'Claude Code', places: [['mcpServers']], variables: 'braces' },
  claude: { title: 'Claude Desktop', places: [['mcpServers']], variables: 'none' },
  copilot: { title: 'Copilot CLI', places: [['mcpServers']], variables: 'dollars' },
  cursor: { title: 'Cursor', places: [['mcpServers']], variables: 'editor' },
  windsurf: { title: 'Windsurf', places: [['mcpServers']], variables: 'editor' },
  codex: { title: 'Codex', places: [['mcp_servers']], variables: 'none' },
  gemini: {
    title: 'Gemini CLI',
    places: [['mcpServers']],
    variables: 'dollars',
    plainUrl: 'sse',
    timeoutUnit: 'milliseconds',
  },
  zed: { title: 'Zed', places: [['context_servers']], variables: 'none' },
  kiro: {
    title: 'Kiro',
    places: [['mcpServers']],
    variables: 'braces',
    timeoutUnit: 'milliseconds',
  },
  /** Text pasted from a page that does not name a program. */
  pasted: { title: 'pasted text', places: [['mcpServers']], variables: 'both' },
} as const satisfies Readonly<Record<string, ForeignProgram>>;

export type ForeignProgramName = keyof typeof foreignPrograms;

/** True for a name that people may type or write into `discovery`. */
export function isForeignProgram(name: string): name is ForeignProgramName {
  return Object.hasOwn(foreignPrograms, name) && name !== 'pasted';
}
