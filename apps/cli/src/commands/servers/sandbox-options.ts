import type { NewServer, SandboxConfig, SandboxMount } from '@errand/host';
import { HostError } from '@errand/host';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options that say what a program of a server may reach. */
export interface SandboxOptions {
  readonly sandbox?: 'bwrap' | 'docker' | 'none';
  readonly network?: boolean;
  readonly mount?: readonly SandboxMount[];
}

/** Adds the options of a sandbox. */
export function withSandboxOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--sandbox <kind>', 'what the command is shut into (default: none)').choices([
        'bwrap',
        'docker',
        'none',
      ]),
    )
    .option('--network', 'a sandbox with network')
    .option('--no-network', 'a sandbox without network, as it is unless told otherwise')
    .option(
      '--mount <path[:rw]>',
      'what a sandbox shows, seen from the vault; may be given again (default: the vault, read-only)',
      addMount,
    );
}

/** What is shown unless something is named: the vault, which cannot be written. */
const vaultOnly: readonly SandboxMount[] = [{ source: '.' }];

/** The sandbox of a local command; undefined unless an option asks for one. */
export function readSandbox({
  sandbox,
  network,
  mount = vaultOnly,
}: SandboxOptions): SandboxConfig | undefined {
  if (sandbox !== 'bwrap') return undefined;
  return { kind: sandbox, ...(network && { network }), mounts: mount };
}

export interface ContainerOptions extends SandboxOptions {
  readonly image?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly memory?: string;
}

/** The entry of a command that runs in a container with limits, and without network unless it is given one. */
export function sandboxedContainer(
  name: string,
  command: readonly string[],
  options: ContainerOptions,
): Omit<NewServer, 'id'> {
  const { network = false, mount = vaultOnly, env, memory = '512m' } = options;
  const image = options.image ?? imageFor(command, network);
  const dockerConfig = {
    image,
    containerName: `errand-${name}`,
    ...(command.length > 0 && { command }),
    ...(env && { env }),
    memory,
    cpus: 1,
    mounts: mount.map(inContainer),
    ...(!network && { network: 'none' }),
    sandboxed: true,
  };
  return { name, transport: 'stdio', deploymentType: 'managed', dockerConfig };
}

/** Official images that have the program, and nothing that it would have to download. */
const images: Readonly<Record<string, string>> = {
  node: 'node:24-slim',
  npx: 'node:24-slim',
  python: 'python:3.13-slim',
  python3: 'python:3.13-slim',
};

function imageFor([program = '']: readonly string[], network: boolean): string {
  const image = images[program];
  if (image === undefined) {
    throw wrong(
      'Say in which image the command is: --sandbox docker --image IMAGE -- COMMAND ARGS.',
    );
  }
  if (program === 'npx' && !network) {
    throw wrong(
      'npx downloads what it runs, and a sandbox has no network. Add --network, or name an image that has the package: --image IMAGE.',
    );
  }
  return image;
}

/** Where the vault is in a container that `--sandbox docker` makes. */
const vaultInside = '/vault';

function inContainer({ source, writable }: SandboxMount) {
  const inside = source.replaceAll('\\', '/').replace(/^(\.\/+)+|^\.$/, '');
  if (/^([A-Za-z]:|\.\.(\/|$))/.test(inside) || inside.includes('/../')) {
    throw wrong(
      `A container has no place for ${source}. Mount a folder of the vault, or a full path.`,
    );
  }
  const target = inside.startsWith('/') ? inside : `${vaultInside}/${inside}`.replace(/\/$/, '');
  return { source, target, ...(writable && { writable }) };
}

function addMount(typed: string, before: readonly SandboxMount[] = []): readonly SandboxMount[] {
  const [, source = '', rights] = /^(.*?)(:rw)?$/s.exec(typed) ?? [];
  if (source === '') throw new InvalidArgumentError('Write it as a path, or as path:rw.');
  return [...before, { source, ...(rights !== undefined && { writable: true }) }];
}

function wrong(message: string): HostError {
  return new HostError('settings_invalid', message);
}
