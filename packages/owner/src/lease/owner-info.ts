import { readFileSync } from 'node:fs';
import { isRecord } from '@errand/wire';
import { type LeaseFolder, ownerFile } from './lease-folder.ts';

/** Who owns a vault, as `owner.json` and the owner's greeting say it. */
export interface OwnerInfo {
  /** Which of our programs it is, such as `up`, `serve`, `gateway` or `obsidian`. */
  readonly program: string;
  readonly version: string;
  /** The version of what is spoken over the socket. */
  readonly protocol: number;
  readonly pid: number;
  /** When the process was started, as the process table names it: with the pid this names one process for ever. */
  readonly startedAt: string;
  /** Where its pid means something: a machine, or a container on it. */
  readonly space: string;
  /** Milliseconds since 1970; for people only, because clocks are set back. */
  readonly since: number;
  /** Names this taking of the lease; no other ever has the same. */
  readonly nonce: string;
  /** The path of its socket, or the name of its pipe. */
  readonly socket: string;
}

/** Who took the lease last, whether or not it still runs; undefined when nobody did. */
export function readOwner(folder: LeaseFolder): OwnerInfo | undefined {
  try {
    return parseOwner(readFileSync(ownerFile(folder), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads one line of JSON that names an owner, of whichever version; undefined for anything else. */
export function parseOwner(text: string): OwnerInfo | undefined {
  const found = parse(text);
  if (!isRecord(found)) return undefined;
  const { nonce, socket } = found;
  if (typeof nonce !== 'string' || typeof socket !== 'string' || nonce === '') return undefined;
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  const count = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    program: word(found.program),
    version: word(found.version),
    protocol: count(found.protocol),
    pid: count(found.pid),
    startedAt: word(found.startedAt),
    space: word(found.space),
    since: count(found.since),
    nonce,
    socket,
  };
}

/** The line that `parseOwner` reads. */
export function ownerLine(owner: OwnerInfo): string {
  return `${JSON.stringify(owner)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
