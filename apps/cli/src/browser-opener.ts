import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { webAddress } from '@errand/host';
import type { Terminal } from './terminal.ts';

/** Shows addresses in the person's browser. */
export interface BrowserOpener {
  /** Whether other users of this machine can read the address in the list of processes. */
  readonly isSeenByOthers: boolean;
  /** Throws for an address that is not one of the web. */
  open(address: string): void;
}

/** What is started, by its absolute path and without a shell, to show an address. */
interface OpeningCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** What it reads from its standard input. */
  readonly input?: string;
}

type CommandFor = (address: string) => OpeningCommand;

/** The way to the person's browser; nothing where there is no desktop. */
export function browserOpener(
  { env }: Pick<Terminal, 'env'>,
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): BrowserOpener | undefined {
  const commandFor = openingCommand(env, platform, exists);
  if (commandFor === undefined) return undefined;
  return {
    isSeenByOthers: platform === 'linux',
    open(address) {
      const url = webAddress(address);
      if (url === undefined) throw new Error(`${address} is not a web address.`);
      start(commandFor(url.href));
    },
  };
}

/** How an address is opened on a platform; nothing where there is no desktop. */
export function openingCommand(
  env: Terminal['env'],
  platform: NodeJS.Platform,
  exists: (path: string) => boolean,
): CommandFor | undefined {
  if (platform === 'darwin') {
    // By its input, because everybody can read arguments there.
    const script = (address: string) =>
      `open location "${address.replace(/[\\"]/g, encodeURIComponent)}"`;
    return (address) => ({ program: '/usr/bin/osascript', args: ['-'], input: script(address) });
  }
  if (platform === 'win32') {
    const program = `${env.SystemRoot || 'C:\\Windows'}\\System32\\rundll32.exe`;
    return (address) => ({ program, args: ['url.dll,FileProtocolHandler', address] });
  }
  if (platform !== 'linux') return undefined;
  const program = linuxProgram(env, exists);
  return program === undefined ? undefined : (address) => ({ program, args: [address] });
}

/** A browser that the person, or their remote editor, named; else the desktop's own way. */
function linuxProgram(
  { BROWSER = '', DISPLAY, WAYLAND_DISPLAY }: Terminal['env'],
  exists: (path: string) => boolean,
): string | undefined {
  if (isAbsolute(BROWSER) && exists(BROWSER)) return BROWSER;
  if (!DISPLAY && !WAYLAND_DISPLAY) return undefined;
  return systemFolders.map((folder) => join(folder, 'xdg-open')).find(exists);
}

/** Never the PATH: it may lead into the folder, such as a stranger's vault, that we are started in. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

function start({ program, args, input }: OpeningCommand): void {
  const child = spawn(program, args, {
    cwd: dirname(program),
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
  });
  // Without a browser the person still has the address in print.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  child.unref();
}
