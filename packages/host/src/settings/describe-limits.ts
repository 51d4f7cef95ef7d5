import type { LaunchFile } from '../launch-files.ts';
import type { LocalConfig, ServerConfig } from '../settings.ts';
import { quoteWord } from './quote-word.ts';

/** What an approval of an entry cannot cover, because it may change later. */
export function describeLimits(
  server: ServerConfig,
  files: readonly LaunchFile[],
): readonly string[] {
  const { deploymentType, localConfig, dockerConfig } = server;
  const limits = [
    ...(deploymentType === 'local' && localConfig ? limitsOfLocal(localConfig) : []),
    ...(deploymentType === 'managed' && dockerConfig ? limitsOfImage(dockerConfig.image) : []),
    ...(deploymentType === 'external' ? ['what this server does with what it is sent'] : []),
    ...files.flatMap(limitsOfFile),
    ...(files.some(isCovered) ? ['other files that these files of the vault load'] : []),
  ];
  return limits.map((limit) => `your approval does not cover: ${limit}`);
}

/** Whether a change of this file is noticed. */
export function isCovered({ identity }: LaunchFile): boolean {
  return !['folder', 'missing', 'unchecked'].includes(identity);
}

function limitsOfFile({ path, identity }: LaunchFile): readonly string[] {
  const name = `${quoteWord(path)} of this vault`;
  switch (identity) {
    case 'folder':
      return [path === '.' ? 'what lies in this vault' : `what lies in the folder ${name}`];
    case 'missing':
      return [`what ${name} stands for, where nothing lies now`];
    case 'unchecked':
      return [`what is in ${name} (a database or log, too large, or not readable)`];
    default:
      return [];
  }
}

function limitsOfLocal({ command, args = [] }: LocalConfig): readonly string[] {
  const name = (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd|bat)$/, '');
  const isFetching =
    fetchers.has(name) || (subcommands[name]?.some((word) => args.includes(word)) ?? false);
  return isFetching ? [`what ${name} downloads, which may be another program next time`] : [];
}

/** Programs that download what they run. */
const fetchers: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx']);

/** Programs that download with certain arguments. */
const subcommands: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x', 'install', 'i'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pip: ['install'],
  deno: ['run'],
  go: ['run'],
  docker: ['run'],
  podman: ['run'],
};

/** A tag is a name that its owner may give to another image; a digest is not. */
function limitsOfImage(image: string): readonly string[] {
  return /@sha256:[0-9a-f]{64}$/.test(image)
    ? []
    : [`which image that name stands for next time; a digest (@sha256:…) fixes it`];
}
