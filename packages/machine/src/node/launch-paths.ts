import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalConfig } from '@errand/host';

export interface LaunchBases {
  readonly vaultFolder: string;
  /** Where a server runs whose entry names no folder. */
  readonly neutralFolder: string;
}

/** A path that an entry may mean. */
export interface LaunchPath {
  /** The full path. */
  readonly path: string;
  /** Whether it plainly is a path, so that it counts even where nothing lies. */
  readonly isPlain: boolean;
  /** Whether it is relative to the vault, wherever it leads. */
  readonly isFromVault: boolean;
}

/**
 * Every path that the folder, command, arguments and variables of an entry may mean: whole texts, values
 * of options, and the words of command lines that a shell is given.
 */
export function launchPaths(
  { command, args = [], env = {}, cwd }: LocalConfig,
  { vaultFolder, neutralFolder }: LaunchBases,
): readonly LaunchPath[] {
  const folder = resolve(vaultFolder, cwd ?? '');
  const isFromVault = cwd === undefined || !isAbsolute(cwd);
  const inFolder = (word: string, isPlain: boolean): LaunchPath => ({
    path: resolve(folder, word),
    isPlain,
    isFromVault: isFromVault && !isAbsolute(word),
  });
  const pathsOf = (word: string): readonly LaunchPath[] => {
    const isPath = /^(\.{1,2}([\\/]|$)|[\\/]|[A-Za-z]:)/.test(word);
    const isPlain = (isPath || isDataFile(word)) && !between.test(word);
    if (cwd !== undefined) return [inFolder(word, isPlain)];
    // In an empty folder a bare word reaches nothing, and variables are not put into the vault.
    if (!isPath) return [];
    const there = { path: resolve(neutralFolder, word), isPlain: false, isFromVault: false };
    return [inFolder(word, isPlain), there];
  };
  const words = new Set([...args, ...Object.values(env)].flatMap(wordsOf));
  return [
    ...(cwd === undefined ? [] : [{ path: folder, isPlain: true, isFromVault }]),
    ...(/[\\/]/.test(command) ? [inFolder(command, true)] : []),
    ...[...words].filter((word) => word !== '').flatMap(pathsOf),
  ];
}

/** Whether a file is a database or a log, which its server changes all the time. */
export function isDataFile(path: string): boolean {
  return /\.(db|duckdb|jsonl|log|ndjson|sqlite3?)$/i.test(path);
}

function wordsOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(/(["'`])(.*?)\1/gs)].map(([, , inside = '']) => inside);
  const urls = (text.match(/file:[^\s"'`,;]+/g) ?? []).flatMap(pathOfUrl);
  const words = [text, text.slice(text.indexOf('=') + 1), ...quoted, ...text.split(between)];
  return [...urls, ...[...words, ...words.map(withoutOption)].map(expandHome)];
}

/** What stands behind a short option without a space, as in `-f/path/to/file`. */
function withoutOption(word: string): string {
  return word.replace(/^-[\w-]*?(?=[\\/~$%]|[A-Za-z]:[\\/])/, '');
}

/** On Windows a colon is part of a path. */
const between = process.platform === 'win32' ? /[\s=,;"'`()|&<>]+/ : /[\s=,;:"'`()|&<>]+/;

function pathOfUrl(url: string): readonly string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}

/** As a shell does it. */
function expandHome(word: string): string {
  return word.replace(/^(~|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/i, () => homedir());
}
