import { parseArgs } from 'node:util';
import { mcpClientNames } from '@errand/wire';
import type { OptionDeclaration, OptionDeclarations } from './define-server.ts';
import { logLevels } from './logger.ts';
import type { ToolSelection } from './select-tools.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandLine {
  readonly isStdio: boolean;
  readonly ports: readonly { readonly type: 'http' | 'sse'; readonly port: number }[];
  readonly host: string;
  readonly logLevel: (typeof logLevels)[number];
  /** The program whose configuration is to be printed. */
  readonly printConfig?: string;
  readonly selection: ToolSelection;
  /** The server's own options. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

const kitOptions = {
  stdio: { description: 'Serve standard input and output (the default)' },
  http: { value: 'PORT', description: 'Serve Streamable HTTP at /mcp' },
  sse: { value: 'PORT', description: 'Serve HTTP+SSE at /sse, for older clients' },
  host: { value: 'HOST', description: 'The address to listen on (default 127.0.0.1)' },
  'log-level': { value: 'LEVEL', description: logLevels.join(', '), env: 'MCP_LOG_LEVEL' },
  'print-config': {
    value: 'PROGRAM',
    description: `Print the configuration for a program: ${mcpClientNames.join(', ')}`,
  },
  'read-only': { description: 'Offer only tools that change nothing', env: 'MCP_READ_ONLY' },
  tools: { value: 'NAMES', description: 'Offer only these, with commas', env: 'MCP_TOOLS' },
  toolsets: { value: 'NAMES', description: 'Offer only these groups', env: 'MCP_TOOLSETS' },
  help: { description: 'Show this help' },
  version: { description: 'Show the version' },
} as const satisfies OptionDeclarations;

/** Reads the arguments of a server: the kit's options and the server's own. */
export function readCommandLine(
  name: string,
  declared: OptionDeclarations,
  argv: readonly string[],
  env: Environment,
): CommandLine {
  refuseClashes(declared);
  const given = parse(name, { ...declared, ...kitOptions }, argv);
  const asked = (option: string, declaration: OptionDeclaration) =>
    given[option] ?? fromEnvironment(declaration, env);
  const ports = (['http', 'sse'] as const).flatMap((type) => {
    const text = given[type];
    return text === undefined ? [] : [{ type, port: readPort(type, String(text)) }];
  });
  return {
    isStdio: given.stdio === true || ports.length === 0,
    ports,
    host: String(given.host ?? '127.0.0.1'),
    ...(given['print-config'] !== undefined && { printConfig: String(given['print-config']) }),
    logLevel: readLevel(asked('log-level', kitOptions['log-level'])),
    selection: {
      isReadOnly: asked('read-only', kitOptions['read-only']) === true,
      names: namesIn(asked('tools', kitOptions.tools)),
      toolsets: namesIn(asked('toolsets', kitOptions.toolsets)),
    },
    options: Object.fromEntries(
      Object.entries(declared).map(([option, declaration]) => {
        const value = asked(option, declaration);
        if (value === undefined && declaration.required) throw missing(name, option, declaration);
        return [option, declaration.value === undefined ? value === true : value];
      }),
    ),
  };
}

/** The help text of a server. */
export function usage(name: string, declared: OptionDeclarations): string {
  const all: OptionDeclarations = { ...declared, ...kitOptions };
  const lines = Object.entries(all).map(([option, { value, description, env, required }]) => {
    const left = `  --${option}${value === undefined ? '' : ` ${value}`}`.padEnd(22);
    const notes = [required ? 'required' : '', env === undefined ? '' : `or ${env}`];
    const note = notes.filter((text) => text !== '').join(', ');
    return `${left} ${description}${note === '' ? '' : ` (${note})`}`;
  });
  return `${name} [OPTIONS]: a server of the Model Context Protocol\n\n${lines.join('\n')}\n`;
}

function refuseClashes(declared: OptionDeclarations): void {
  const taken = Object.keys(declared).find((option) => Object.hasOwn(kitOptions, option));
  if (taken === undefined) return;
  throw new StartError('invalid_definition', `The option --${taken} is the kit's. Rename yours.`);
}

function parse(name: string, known: OptionDeclarations, argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([option, { value }]) => [
      option,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    return values as Readonly<Record<string, string | boolean | undefined>>;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new StartError('usage', `${sentence}. Options are listed by: ${name} --help`, {
      cause: error,
    });
  }
}

function fromEnvironment(
  { env: variable, value }: OptionDeclaration,
  env: Environment,
): string | boolean | undefined {
  const text = variable === undefined ? undefined : env[variable];
  if (text === undefined || text === '') return undefined;
  return value === undefined ? !['0', 'false', 'no'].includes(text.toLowerCase()) : text;
}

function namesIn(text: string | boolean | undefined): readonly string[] {
  return String(text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new StartError('usage', `--${option} ${text} is no port. Use a number from 0 to 65535.`);
}

function readLevel(text: string | boolean | undefined): (typeof logLevels)[number] {
  const level = logLevels.find((known) => known === (text ?? 'info'));
  if (level !== undefined) return level;
  throw new StartError('usage', `There is no log level "${text}". Use: ${logLevels.join(', ')}.`);
}

function missing(name: string, option: string, { value, env }: OptionDeclaration): StartError {
  const or = env === undefined ? '' : ` or set ${env}`;
  return new StartError('usage', `Give ${name} --${option} ${value ?? ''}${or}.`);
}
