import type { DockerConfig, LocalConfig, NewServer, ServerConfig } from '@errand/host';
import { z } from 'zod';
import type { ServerForm } from '../../contract.ts';
import { joinCommand, splitCommand } from './command-line.ts';

const texts = z.record(z.string(), z.string());
const rules = {
  name: z.string().trim().min(1, 'Give it a name, for example "notes".'),
  approval: z.enum(['ask', 'allow', 'deny']).exactOptional(),
  timeout: z.number().nullable().exactOptional(),
};
const port = z.int('Write a port from 1 to 65535.').min(0).max(65_535);

/** A form as a page sends it. What a server may be called or started with is checked when it is stored. */
export const serverFormSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...rules,
    kind: z.literal('command'),
    command: z.string().trim().min(1, 'Write the program to start, for example npx -y some-server'),
    env: texts.exactOptional(),
    cwd: z.string().exactOptional(),
  }),
  z.strictObject({
    ...rules,
    kind: z.literal('image'),
    image: z.string().trim().min(1, 'Name the image, for example mcp/weather:1'),
    transport: z.enum(['stdio', 'sse', 'http']).exactOptional(),
    command: z.string().exactOptional(),
    port: port.exactOptional(),
    outsidePort: port.exactOptional(),
    path: z.string().exactOptional(),
    env: texts.exactOptional(),
    memory: z.string().exactOptional(),
  }),
  z.strictObject({
    ...rules,
    kind: z.literal('url'),
    url: z.string().trim().min(1, 'Write the address, for example https://host.example/mcp'),
    transport: z.enum(['sse', 'http']).exactOptional(),
    headers: texts.exactOptional(),
  }),
]);

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
      const localConfig: LocalConfig = { command, args, ...filled({ env, cwd }) };
      return { transport: 'stdio', deploymentType: 'local', localConfig };
    }
    case 'image':
      return {
        transport: form.transport ?? 'stdio',
        deploymentType: 'managed',
        dockerConfig: containerFrom(form, before?.dockerConfig),
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

function containerFrom(
  form: Extract<ServerForm, { readonly kind: 'image' }>,
  before: DockerConfig | undefined,
): DockerConfig {
  const { containerName = `errand-${form.name}`, headers, cpus, mounts, network } = before ?? {};
  const { image, path, env, memory } = form;
  const command = splitCommand(form.command ?? '');
  return {
    image,
    containerName,
    ...(command.length > 0 && { command }),
    ...(form.port && { ports: { [form.port]: form.outsidePort ?? 0 } }),
    ...filled({ path, env, memory, headers, cpus, mounts, network }),
  };
}

/** The form of an entry, to be changed. */
export function formOf(server: ServerConfig): ServerForm {
  const { name, approval, timeout, transport, localConfig, dockerConfig } = server;
  const shared = { name, ...filled({ approval, timeout }) };
  if (dockerConfig !== undefined && server.deploymentType === 'managed') {
    const { image, command = [], ports = {}, path, env, memory } = dockerConfig;
    const [inside, outsidePort] = Object.entries(ports)[0] ?? [];
    const port = inside === undefined ? undefined : Number.parseInt(inside, 10);
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
