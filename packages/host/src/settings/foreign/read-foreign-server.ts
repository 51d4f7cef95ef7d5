import { isRecord } from '@errand/wire';
import { z } from 'zod';
import type { ServerConfig } from '../../settings.ts';
import type { ForeignProgram } from './foreign-programs.ts';

/** How to start or reach a server of another program, its references not yet replaced. */
export interface ForeignLaunch {
  readonly launch: Pick<
    ServerConfig,
    'transport' | 'deploymentType' | 'localConfig' | 'httpConfig' | 'sseConfig' | 'timeout'
  >;
  readonly isEnabled: boolean;
  /** What is not imported. */
  readonly notes: readonly string[];
  /** The other program logs in to it. */
  readonly hasLogin: boolean;
}

/** Reads one entry of another program; a sentence when it cannot be used here. */
export function readForeignServer(raw: unknown, program: ForeignProgram): ForeignLaunch | string {
  const result = foreignEntrySchema.safeParse(raw);
  if (!result.success) {
    const path = result.error.issues[0]?.path.join('.') ?? '';
    return path === '' ? 'It is not an object.' : `Its "${path}" is not of the right kind.`;
  }
  const entry = result.data;
  const notes = noteLosses(entry);
  const timeout = readTimeout(entry, program, notes);
  const launch = readLaunch(entry, program, notes);
  if (typeof launch === 'string') return launch;
  return {
    launch: { ...launch, ...(timeout !== undefined && { timeout }) },
    isEnabled: entry.enabled !== false && entry.disabled !== true,
    notes,
    hasLogin: hasLogin(entry),
  };
}

function readLaunch(
  entry: ForeignEntry,
  program: ForeignProgram,
  notes: string[],
): ForeignLaunch['launch'] | string {
  const type = entry.type ?? entry.transport;
  const url = entry.httpUrl ?? entry.url ?? entry.serverUrl;
  if (entry.command !== undefined) return readCommand(entry, entry.command);
  if (url === undefined) {
    return isRecord(entry.settings) || entry.source === 'extension'
      ? `It is an extension that only ${program.title} can start.`
      : 'It has neither a command nor an address.';
  }
  if (!/^(https?:|\$)/.test(url)) return `The address ${url.split(':')[0]}: cannot be reached.`;
  const transport = readTransport(type, entry, url, program, notes);
  if (transport === undefined) return `The transport "${type}" is not known here.`;
  const headers = readHeaders(entry);
  const config = { url, ...(Object.keys(headers).length > 0 && { headers }) };
  return {
    deploymentType: 'external',
    transport,
    ...(transport === 'sse' ? { sseConfig: config } : { httpConfig: config }),
  };
}

function readCommand(
  entry: ForeignEntry,
  command: NonNullable<ForeignEntry['command']>,
): ForeignLaunch['launch'] {
  // An older Zed kept everything about the program under its command.
  const old = typeof command === 'string' ? { path: command } : command;
  const forwarded = (entry.env_vars ?? []).map((variable) =>
    typeof variable === 'string' ? variable : variable.name,
  );
  const args = [...(old.args ?? []), ...(entry.args ?? [])].map(String);
  const env = {
    ...Object.fromEntries(forwarded.map((name) => [name, `\${env:${name}}`])),
    ...textValues(old.env),
    ...textValues(entry.env),
  };
  return {
    deploymentType: 'local',
    transport: 'stdio',
    localConfig: {
      command: old.path,
      ...(args.length > 0 && { args }),
      ...(Object.keys(env).length > 0 && { env }),
      ...(typeof entry.cwd === 'string' && { cwd: entry.cwd }),
    },
  };
}

function readTransport(
  type: string | undefined,
  entry: ForeignEntry,
  url: string,
  program: ForeignProgram,
  notes: string[],
): 'http' | 'sse' | undefined {
  if (type !== undefined) {
    if (type === 'sse') return 'sse';
    return /^(streamable[-_]?)?http$/i.test(type) ? 'http' : undefined;
  }
  if (entry.httpUrl !== undefined) return 'http';
  if (program.plainUrl === 'sse') return 'sse';
  if (!/\/sse\/?([?#]|$)/.test(url)) return 'http';
  notes.push('Its address ends in /sse, so the transport "sse" is used.');
  return 'sse';
}

function readHeaders(entry: ForeignEntry): Readonly<Record<string, string>> {
  const { bearer_token_env_var: bearer } = entry;
  const fromVariables = Object.entries(entry.env_http_headers ?? {});
  return {
    ...textValues(entry.headers),
    ...textValues(entry.http_headers),
    ...Object.fromEntries(fromVariables.map(([name, variable]) => [name, `\${env:${variable}}`])),
    ...(bearer && { Authorization: `Bearer \${env:${bearer}}` }),
  };
}

function readTimeout(
  entry: ForeignEntry,
  program: ForeignProgram,
  notes: string[],
): number | undefined {
  const seconds = entry.tool_timeout_sec ?? undefined;
  const given = program.timeoutUnit && entry.timeout ? entry.timeout : undefined;
  const wanted = seconds === undefined ? given : seconds * 1000;
  if (wanted === undefined) return undefined;
  const timeout = Math.round(Math.min(Math.max(wanted, 1000), 300_000));
  if (timeout !== wanted) notes.push(`Its timeout of ${wanted} ms becomes ${timeout} ms.`);
  return timeout;
}

/** Numbers and booleans become text; a variable without a value is left out. */
function textValues(
  values: Readonly<Record<string, string | number | boolean | null>> | null | undefined,
): Record<string, string> {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const texts = z.record(z.string(), z.union([scalar, z.null()]));

/** The fields of all programs together: no two of them mean different things by one name. */
const foreignEntrySchema = z.looseObject({
  command: z
    .union([
      z.string().min(1),
      z.object({
        path: z.string(),
        args: z.array(z.string()).optional(),
        env: texts.nullish(),
      }),
    ])
    .optional(),
  args: z.array(scalar).nullish(),
  env: texts.nullish(),
  cwd: z.string().nullish(),
  type: z.string().optional(),
  transport: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.nullish(),
  http_headers: texts.nullish(),
  env_http_headers: z.record(z.string(), z.string()).nullish(),
  bearer_token_env_var: z.string().nullish(),
  env_vars: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  timeout: z.number().nullish(),
  tool_timeout_sec: z.number().nullish(),
});

type ForeignEntry = z.infer<typeof foreignEntrySchema>;

/** Whether the other program logs in to the server. */
function hasLogin(entry: ForeignEntry): boolean {
  return says(entry, 'auth', 'oauth');
}

/** The fields of an entry that are not imported. */
function noteLosses(entry: ForeignEntry): string[] {
  const unset = Object.entries(entry.env ?? {}).filter(([, value]) => value === null);
  return [
    ...unset.map(([name]) => `The variable ${name} is not removed from its environment here.`),
    ...(says(entry, 'envFile', 'env_file')
      ? ['envFile is not supported. Set the variables under "env", the secret ones as secrets.']
      : []),
    ...(hasLogin(entry) ? ['The login of the other program is not taken over.'] : []),
    ...(says(entry, 'autoApprove', 'alwaysAllow', 'trust')
      ? ['Calls that the other program makes without asking are asked about here.']
      : []),
    ...(says(entry, ...toolFilters) && !isAllTools(entry.tools)
      ? ['All of its tools are offered here; the other program offers a selection.']
      : []),
    ...(says(entry, 'sandboxEnabled')
      ? ['It runs without the sandbox of the other program here.']
      : []),
    ...(says(entry, 'headersHelper')
      ? ['The program that makes its headers is not run. Write the headers, or log in.']
      : []),
  ];
}

const toolFilters = [
  'tools',
  'includeTools',
  'excludeTools',
  'disabledTools',
  'enabled_tools',
  'disabled_tools',
];

function says(entry: ForeignEntry, ...fields: readonly string[]): boolean {
  return fields.some((field) => {
    const value = entry[field];
    return value !== undefined && value !== false && value !== null && !isEmpty(value);
  });
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isAllTools(tools: unknown): boolean {
  return Array.isArray(tools) && tools.length === 1 && tools[0] === '*';
}
