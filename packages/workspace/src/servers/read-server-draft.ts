import {
  checkEntry,
  type DockerConfig,
  findNameMistake,
  type NewServer,
  newServer,
  type ServerConfig,
} from '@errand/host';
import { joinCommand, splitCommand } from './command-line.ts';
import { emptyDraft, type Pair, type ServerDraft } from './server-draft.ts';

/** What is wrong in a draft, by field. */
type DraftProblems = Readonly<Partial<Record<keyof ServerDraft, string>>>;

/** The entry that a draft describes, or what is wrong with it. */
type ReadDraft =
  | { readonly entry: ServerConfig; readonly problems?: undefined }
  | { readonly problems: DraftProblems; readonly entry?: undefined };

interface DraftContext {
  readonly id: string;
  /** The entry that is changed; what a form does not show of it stays. */
  readonly before?: ServerConfig | undefined;
  /** All entries of the settings; names are unique among them. */
  readonly servers: readonly ServerConfig[];
}

/** Reads a draft and checks the entry as the settings would; nothing is stored. */
export function readServerDraft(draft: ServerDraft, context: DraftContext): ReadDraft {
  const { id, before, servers } = context;
  const words = splitCommand(draft.kind === 'image' ? draft.inside : draft.command);
  const typed = { ...findTypingMistakes(draft), ...(words === undefined && openQuote(draft)) };
  if (words === undefined || Object.keys(typed).length > 0) return { problems: typed };
  const entry = {
    ...newServer(entryOf(draft, words, before), id),
    enabled: before?.enabled ?? false,
  };
  const others = servers.filter((server) => server.id !== id);
  const { problems: stored } = checkEntry(entry, others);
  const mistake = entry.name === before?.name ? undefined : findNameMistake(entry.name);
  const problems =
    stored.length > 0 || mistake === undefined ? stored : [{ path: ['name'], message: mistake }];
  if (problems.length === 0) return { entry };
  const byField: Partial<Record<keyof ServerDraft, string>> = {};
  for (const { path, message } of problems) byField[fieldAt(path, draft.kind)] ??= message;
  return { problems: byField };
}

/** The draft of a stored entry, to be changed. */
export function draftOf(server: ServerConfig): ServerDraft {
  const { name, approval = 'ask', timeout, transport, localConfig, dockerConfig } = server;
  const seconds = timeout === undefined ? '' : String(timeout / 1_000);
  const shared = { ...emptyDraft, name, approval, timeout: seconds };
  if (dockerConfig !== undefined && server.deploymentType === 'managed') {
    const { image, command = [], ports = {}, path = '', env, memory = '' } = dockerConfig;
    const [inside, outside = 0] = Object.entries(ports)[0] ?? [];
    return {
      ...shared,
      kind: 'image',
      image,
      inside: joinCommand(command),
      imageTransport: transport,
      port: inside === undefined ? '' : String(portIn(inside)),
      outsidePort: outside === 0 ? '' : String(outside),
      path,
      memory,
      env: pairsOf(env),
    };
  }
  if (localConfig !== undefined && server.deploymentType === 'local') {
    const { command, args = [], env, cwd = '' } = localConfig;
    const line = joinCommand([command, ...args]);
    return { ...shared, kind: 'command', command: line, cwd, env: pairsOf(env) };
  }
  const urlTransport = transport === 'sse' ? 'sse' : 'http';
  const { url = '', headers } = server[`${urlTransport}Config`] ?? {};
  return { ...shared, kind: 'url', url, urlTransport, headers: pairsOf(headers) };
}

function entryOf(
  draft: ServerDraft,
  words: readonly string[],
  before: ServerConfig | undefined,
): NewServer {
  const { localConfig, dockerConfig, httpConfig, sseConfig, approval, timeout, ...rest } =
    before ?? {};
  return {
    ...rest,
    ...launchOf(draft, words, before),
    name: draft.name.trim(),
    ...(draft.approval !== 'ask' && { approval: draft.approval }),
    ...(draft.timeout.trim() !== '' && { timeout: Math.round(Number(draft.timeout) * 1_000) }),
  };
}

function launchOf(
  draft: ServerDraft,
  words: readonly string[],
  before: ServerConfig | undefined,
): Omit<NewServer, 'name'> {
  const env = tableOf(draft.env);
  switch (draft.kind) {
    case 'command': {
      const [command = '', ...args] = words;
      const sandbox = before?.localConfig?.sandbox;
      const localConfig = { command, args, ...filled({ env, cwd: draft.cwd.trim(), sandbox }) };
      return { transport: 'stdio', deploymentType: 'local', localConfig };
    }
    case 'image': {
      const { headers, cpus, mounts, network, sandboxed, containerName } =
        before?.dockerConfig ?? ({} as Partial<DockerConfig>);
      const dockerConfig = {
        image: draft.image.trim(),
        containerName: containerName ?? `errand-${draft.name.trim()}`,
        ...filled({
          command: words,
          ports: portsOf(draft, before),
          path: draft.imageTransport === 'stdio' ? '' : draft.path.trim(),
          env,
          memory: draft.memory.trim(),
          // A form does not show these.
          ...{ headers, cpus, mounts, network, sandboxed },
        }),
      };
      return { transport: draft.imageTransport, deploymentType: 'managed', dockerConfig };
    }
    case 'url': {
      const config = { url: draft.url.trim(), ...filled({ headers: tableOf(draft.headers) }) };
      return draft.urlTransport === 'sse'
        ? { transport: 'sse', deploymentType: 'external', sseConfig: config }
        : { transport: 'http', deploymentType: 'external', httpConfig: config };
    }
  }
}

/** A form shows the first port, and none of a server that speaks over stdio; the others stay. */
function portsOf(
  { port, outsidePort, imageTransport }: ServerDraft,
  before: ServerConfig | undefined,
): DockerConfig['ports'] {
  const ports = before?.dockerConfig?.ports ?? {};
  if (imageTransport === 'stdio') return before?.transport === 'stdio' ? ports : undefined;
  if (port.trim() === '') return undefined;
  const [inside, outside] = [Number(port), Number(outsidePort)];
  const [shown, ...others] = Object.entries(ports);
  const name = shown !== undefined && portIn(shown[0]) === inside ? shown[0] : String(inside);
  const kept = Object.fromEntries([[name, outside], ...others]);
  // The server is reached at the first one; numeric keys are ordered by their value.
  return Object.keys(kept)[0] === name ? kept : { [name]: outside };
}

function portIn(name: string): number {
  return Number.parseInt(name, 10);
}

/** Mistakes that only exist in what is typed: an entry could not hold them. Fields that are not shown have none. */
function findTypingMistakes(draft: ServerDraft): DraftProblems {
  const { kind, timeout, port, outsidePort, env, headers } = draft;
  return {
    ...numberMistake('timeout', timeout, 1, 300, 'Write seconds from 1 to 300.'),
    ...(kind === 'image' &&
      draft.imageTransport !== 'stdio' && {
        ...(port.trim() === '' && { port: 'Write the port that the server listens on.' }),
        ...numberMistake('port', port, 1, 65_535, 'Write a port from 1 to 65535.'),
        ...numberMistake('outsidePort', outsidePort, 0, 65_535, 'Write a port, or 0 for any.'),
      }),
    ...(kind === 'url' ? pairMistake('headers', headers) : pairMistake('env', env)),
  };
}

function openQuote({ kind }: ServerDraft): DraftProblems {
  const message = 'The command has an unclosed quote. Close it, or put a \\ before it.';
  return { [kind === 'image' ? 'inside' : 'command']: message };
}

function numberMistake(
  field: keyof ServerDraft,
  text: string,
  least: number,
  most: number,
  message: string,
): DraftProblems {
  const number = Number(text);
  const isFine = text.trim() === '' || (number >= least && number <= most);
  return isFine ? {} : { [field]: message };
}

function pairMistake(field: keyof ServerDraft, pairs: readonly Pair[]): DraftProblems {
  const names = pairs.map(({ name }) => name.trim());
  const nameless = pairs.some(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless) return { [field]: 'A value has no name. Name it, or remove the row.' };
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined
    ? {}
    : { [field]: `"${twice}" is there twice. Remove one of the rows.` };
}

/** `['localConfig', 'args', 0]` of a command is the field `command`. */
function fieldAt(
  [first = '', second = '']: readonly (string | number)[],
  kind: ServerDraft['kind'],
): keyof ServerDraft {
  const name = String(first).endsWith('Config') ? second : first;
  if (kind === 'image' && name === 'command') return 'inside';
  return fields[name] ?? kind;
}

const fields: Readonly<Record<string, keyof ServerDraft>> = {
  name: 'name',
  containerName: 'name',
  approval: 'approval',
  timeout: 'timeout',
  env: 'env',
  cwd: 'cwd',
  path: 'path',
  ports: 'port',
  memory: 'memory',
  headers: 'headers',
};

function pairsOf(table: Readonly<Record<string, string>> = {}): readonly Pair[] {
  return Object.entries(table).map(([name, value]) => ({ name, value }));
}

function tableOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const named = pairs.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

/** What is there: an empty text or table is nothing. */
function filled<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: NonNullable<Value[Key]> } {
  const isFilled = ([, each]: [string, unknown]) =>
    each !== undefined &&
    each !== '' &&
    !(typeof each === 'object' && each !== null && Object.keys(each).length === 0);
  return Object.fromEntries(Object.entries(value).filter(isFilled)) as {
    [Key in keyof Value]?: NonNullable<Value[Key]>;
  };
}
