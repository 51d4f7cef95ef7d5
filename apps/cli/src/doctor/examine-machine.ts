import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { userFolders } from '@errand/host';
import { askEngine } from '@errand/machine/docker';
import { currentPlatform, openKeychain } from '@errand/machine/node';
import { browserOpener } from '../browser-opener.ts';
import type { CommandContext } from '../command-context.ts';
import { usualPort } from '../usual-port.ts';
import { examineVault } from './examine-vault.ts';
import type { FolderFacts, MachineFacts } from './machine-facts.ts';

/** Looks at this machine and a vault. Starts no server, changes nothing. */
export async function examineMachine(
  folder: string,
  { terminal, signal }: CommandContext,
): Promise<MachineFacts> {
  const { env } = terminal;
  const { state, cache } = userFolders(currentPlatform());
  const patience = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const [folders, freeMegabytes, keychain, engine, git, loopback, usual, watches, vault] =
    await Promise.all([
      Promise.all([
        lookAtFolder('state', state),
        lookAtFolder('cache', cache),
        lookAtFolder('vault', folder),
      ]),
      freeSpace(state),
      openKeychain(),
      askEngine(env, patience),
      gitVersion(patience),
      tryPort(0),
      tryPort(usualPort),
      watchLimit(),
      examineVault(folder, env, patience),
    ]);
  return {
    node: { version: process.version, path: process.execPath },
    folders,
    ...(freeMegabytes !== undefined && { freeMegabytes }),
    hasKeychain: keychain !== undefined,
    engine,
    hasBrowser: browserOpener(terminal) !== undefined,
    ...(git !== undefined && { git }),
    ...(loopback !== undefined && { loopback: loopback.message }),
    isUsualPortTaken: usual?.code === 'EADDRINUSE',
    ...(watches !== undefined && { watches }),
    badProxies: proxies.filter((name) => {
      const value = env[name];
      return (
        value !== undefined && value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')
      );
    }),
    vault,
  };
}

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

async function lookAtFolder(name: FolderFacts['name'], path: string): Promise<FolderFacts> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown');
  if (typeof found === 'string') {
    if (dirname(path) === path) return { name, path, status: 'not-writable' };
    // What is made later is made in the nearest folder that is there.
    const { status, obstacle = dirname(path) } = await lookAtFolder(name, dirname(path));
    if (isInTheWay.has(status)) return { name, path, status, obstacle };
    return { name, path, status: found === 'ENOENT' ? 'absent' : 'not-writable', obstacle };
  }
  if (!found.isDirectory()) return { name, path, status: 'not-a-folder' };
  const refused = await access(path, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (refused !== undefined) {
    return { name, path, status: refused === 'EROFS' ? 'read-only' : 'not-writable' };
  }
  const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  return { name, path, status: name === 'state' && isOpen ? 'open-to-others' : 'ok' };
}

const isInTheWay: ReadonlySet<FolderFacts['status']> = new Set([
  'not-a-folder',
  'not-writable',
  'read-only',
]);

async function freeSpace(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return Math.floor((bavail * bsize) / 1_000_000);
  } catch {
    return dirname(path) === path ? undefined : await freeSpace(dirname(path));
  }
}

async function gitVersion(signal: AbortSignal): Promise<string | undefined> {
  // A relative folder of the PATH would lead into a stranger's vault.
  const PATH = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
  try {
    const options = { signal, cwd: '/', env: { ...process.env, PATH } };
    return (await promisify(execFile)('git', ['--version'], options)).stdout.trim();
  } catch {
    return undefined;
  }
}

/** Why a port cannot be opened, or any for 0; undefined when it can. */
async function tryPort(port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    server.close();
  }
}

async function watchLimit(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const file = '/proc/sys/fs/inotify/max_user_watches';
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}
