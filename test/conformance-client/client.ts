import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Caller, SecretStore, ServerConfig, ToolDescription } from '@errand/host';
import { ExternalConnector, type LoginClient, logIn, oauthAuthorizers } from '@errand/machine/mcp';

type Json = Readonly<Record<string, unknown>>;

// The client that the conformance suite examines: our connector, told to do what a scenario asks for.
// The suite gives the server's address as the last argument and the rest by environment.
const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
  }[];
};

const secrets = memorySecrets();
const server: ServerConfig = {
  id: randomUUID(),
  name: 'referee',
  transport: 'http',
  deploymentType: 'external',
  httpConfig: { url },
  enabled: true,
  failureCount: 0,
  autoDisabled: false,
  sectionBindings: [],
};
const client: LoginClient = {
  name: 'Errand',
  metadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.client_id !== undefined && {
    registered: {
      id: context.client_id,
      ...(context.client_secret !== undefined && { secret: context.client_secret }),
    },
  }),
};
const connector = new ExternalConnector({
  host: {
    name: 'errand-conformance',
    version: '0.1.0',
    vaultFolder: tmpdir(),
    eras: new Map(),
    notifier: { notify: ({ message }) => console.error(message) },
    // Accepts with nothing filled in, so that the defaults of the question are used.
    elicitor: { elicit: async () => ({ action: 'accept', content: {} }) },
    canAskCallers: true,
  },
  authorizerFor: oauthAuthorizers(secrets),
});

const caller: Caller = {
  owner: 'conformance',
  sampler: { sample: async () => ({ text: 'A model would say this.', model: 'none' }) },
};

await using connection = await loggingIn(() => connector.connect(server, { signal: soon() }));
const tools = await loggingIn(() => connection.listTools(soon()));
for (const { name, input } of callsFor(tools)) {
  const call = { tool: name, arguments: input };
  await loggingIn(() => connection.callTool(call, { signal: soon(), caller }));
}

/** Does something, and logs in and does it again when it is refused for that; gives up after the third time. */
async function loggingIn<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let logins = 0; ; logins += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wantsLogin =
        error instanceof Error && 'code' in error && error.code === 'login_required';
      if (!wantsLogin || logins === 3) throw error;
      await logIn(server, { secrets, client, prompt: { show: walkThrough }, signal: soon() });
    }
  }
}

/** Does what a browser would: goes to the login page, is sent back at once, and follows. */
async function walkThrough(address: string): Promise<void> {
  const page = await fetch(address, { redirect: 'manual' });
  const back = page.headers.get('location');
  if (back === null) throw new Error(`The login page answered with ${page.status}.`);
  await fetch(back);
}

function callsFor(listed: readonly ToolDescription[]) {
  if (context.toolCalls !== undefined) {
    return context.toolCalls.map(({ name, arguments: input }) => ({ name, input }));
  }
  // One scenario wants to be told the schema of a tool of its own.
  const schema = listed.find(({ inputSchema }) => '$schema' in inputSchema)?.inputSchema;
  return listed
    .filter(({ broken }) => broken === undefined)
    .map(({ name, inputSchema }) => ({ name, input: exampleFor(inputSchema, schema) }));
}

/** Arguments that fit a simple schema. */
function exampleFor({ properties = {} }: Json, object: Json = {}): Record<string, unknown> {
  const examples: Json = { number: 5, integer: 5, boolean: true, string: 'text', object };
  const described = Object.entries(properties as Record<string, { readonly type?: string }>);
  return Object.fromEntries(
    described.map(([name, { type = 'string' }]) => [name, examples[type] ?? 'text']),
  );
}

function memorySecrets(): SecretStore {
  const stored = new Map<string, string>();
  return {
    get: async (name) => stored.get(name),
    async set(name, value) {
      if (value === undefined) stored.delete(name);
      else stored.set(name, value);
    },
    names: async () => [...stored.keys()],
  };
}

function soon(): AbortSignal {
  return AbortSignal.timeout(90_000);
}
