import type {
  ApprovalRule,
  DockerConfig,
  LocalConfig,
  NewServer,
  ServerConfig,
} from '@errand/host';
import { joinCommand, splitCommand } from './command-line.ts';

/** How a server is reached, as a form shows it. `${env:NAME}` and `${secret:NAME}` may stand in texts. */
export type ServerForm = {
  readonly name: string;
  /** What becomes of a model's calls; `ask` without it. */
  readonly approval?: ApprovalRule;
  /** Milliseconds a call may take, 1,000 to 300,000; null or missing: as for all servers. */
  readonly timeout?: number | null;
} & LaunchForm;

export type LaunchForm =
  | {
      readonly kind: 'command';
      /** Program and arguments on one line; quotes keep words together. */
      readonly command: string;
      readonly env?: Readonly<Record<string, string>>;
      /** Relative to the vault. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** `stdio` without it. */
      readonly transport?: 'stdio' | 'sse' | 'http';
      /** What the container runs, when not the image's own. */
      readonly command?: string;
      /** Inside the container; needed for sse and http. */
      readonly port?: number;
      /** On this machine; 0 or missing lets the engine choose. */
      readonly outsidePort?: number;
      readonly path?: string;
      readonly env?: Readonly<Record<string, string>>;
      /** As `256m`. */
      readonly memory?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** `http` without it. */
      readonly transport?: 'sse' | 'http';
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The entry a form describes; what a form does not show stays as it is in the entry before. */
export function entryFrom(form: ServerForm, before?: ServerConfig): NewServer {
  const { localConfig, dockerConfig, httpConfig, sseConfig, approval, timeout, ...rest } =
    before ?? {};
  return {
    ...rest,
    ...launchFrom(form, before),
    name: form.name,
    ...(form.approval !== undefined && form.approval !== 'ask' && { approval: form.approval }),
    ...(typeof form.timeout === 'number' && { timeout: form.timeout }),
  };
}

type Launch = Omit<NewServer, 'name'>;

function launchFrom(form: ServerForm, before: ServerConfig | undefined): Launch {
  switch (form.kind) {
    case 'command': {
      const [command = '', ...args] = splitCommand(form.command);
      const { env, cwd } = form;
      const sandbox = before?.localConfig?.sandbox;
      const localConfig: LocalConfig = { command, args, ...filled({ env, cwd, sandbox }) };
      return { transport: 'stdio', deploymentType: 'local', localConfig };
    }
    case 'image':
      return {
        transport: form.transport ?? 'stdio',
        deploymentType: 'managed',
        dockerConfig: containerFrom(form, before),
      };
    case 'url': {
      const { url, headers } = form;
      const config = { url, ...filled({ headers }) };
      return form.transport === 'sse'
        ? { transport: 'sse', deploymentType: 'external', sseConfig: config }
        : { transport: 'http', deploymentType: 'external', httpConfig: config };
    }
  }
}

type ImageForm = Extract<ServerForm, { readonly kind: 'image' }>;

function containerFrom(form: ImageForm, before: ServerConfig | undefined): DockerConfig {
  const known: Partial<DockerConfig> = before?.dockerConfig ?? {};
  const {
    containerName = `errand-${form.name}`,
    headers,
    cpus,
    mounts,
    network,
    sandboxed,
  } = known;
  const { image, path, env, memory } = form;
  const command = splitCommand(form.command ?? '');
  return {
    image,
    containerName,
    ...(command.length > 0 && { command }),
    ...filled({
      ports: portsFrom(form, before),
      path,
      env,
      memory,
      headers,
      cpus,
      mounts,
      network,
      sandboxed,
    }),
  };
}

/** A form shows the first port, and none of a server that is spoken to by its input; the others stay. */
function portsFrom(
  { port, outsidePort = 0, transport = 'stdio' }: ImageForm,
  before: ServerConfig | undefined,
): DockerConfig['ports'] {
  const ports = before?.dockerConfig?.ports ?? {};
  if (!port) return transport === 'stdio' && before?.transport === 'stdio' ? ports : undefined;
  const [shown, ...others] = Object.entries(ports);
  const name = shown !== undefined && portIn(shown[0]) === port ? shown[0] : String(port);
  const kept = Object.fromEntries([[name, outsidePort], ...others]);
  // The first is the one that it is spoken to at.
  return Object.keys(kept)[0] === name ? kept : { [name]: outsidePort };
}

function portIn(name: string): number {
  return Number.parseInt(name, 10);
}

/** The form of an entry, to be changed. */
export function formOf(server: ServerConfig): ServerForm {
  const { name, approval, timeout, transport, localConfig, dockerConfig } = server;
  const shared = { name, ...filled({ approval, timeout }) };
  if (dockerConfig !== undefined && server.deploymentType === 'managed') {
    const { image, command = [], ports = {}, path, env, memory } = dockerConfig;
    const [inside, outsidePort] = Object.entries(ports)[0] ?? [];
    const port = inside === undefined ? undefined : portIn(inside);
    const line = joinCommand(command);
    return {
      ...shared,
      kind: 'image',
      image,
      transport,
      ...filled({ command: line, port, outsidePort, path, env, memory }),
    };
  }
  if (localConfig !== undefined && server.deploymentType === 'local') {
    const { command, args = [], env, cwd } = localConfig;
    const line = joinCommand([command, ...args]);
    return { ...shared, kind: 'command', command: line, ...filled({ env, cwd }) };
  }
  const isSse = transport === 'sse';
  const { url = '', headers } = (isSse ? server.sseConfig : server.httpConfig) ?? {};
  const way = isSse ? 'sse' : 'http';
  return { ...shared, kind: 'url', url, transport: way, ...filled({ headers }) };
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
