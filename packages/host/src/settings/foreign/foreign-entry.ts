import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const texts = z.record(z.string(), z.union([scalar, z.null()]));

/** The fields of all programs together: no two of them mean different things by one name. */
export const foreignEntrySchema = z.looseObject({
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

export type ForeignEntry = z.infer<typeof foreignEntrySchema>;

/** Whether the other program logs in to the server. */
export function hasLogin(entry: ForeignEntry): boolean {
  return says(entry, 'auth', 'oauth');
}

/** What an entry says that is not carried over. */
export function noteLosses(entry: ForeignEntry): string[] {
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
