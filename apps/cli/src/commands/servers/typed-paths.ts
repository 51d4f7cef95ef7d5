import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { messageText } from '../../message-text.ts';
import type { Terminal } from '../../terminal.ts';

/**
 * The command of an entry as it is stored. It was typed in some folder and runs in an empty one, so a path
 * relative to the first becomes one relative to the vault, and the person is told. With a folder of its own
 * an entry stays as it was typed.
 */
export function storeTypedPaths<Entry extends Pick<ServerConfig, 'localConfig'>>(
  entry: Entry,
  vaultFolder: string,
  { cwd, stderr }: Pick<Terminal, 'cwd' | 'stderr'>,
): Entry {
  const { localConfig } = entry;
  if (localConfig === undefined || localConfig.cwd !== undefined) return entry;
  const store = (word: string, isPath: boolean) => {
    const [, option = '', typed = ''] = /^(-[\w-]*=)?(.*)$/s.exec(word) ?? [];
    if (!isPath && !isTypedPath(typed, cwd)) return word;
    const stored = option + fromVault(resolve(cwd, typed), vaultFolder);
    if (stored === word) return word;
    stderr.write(
      messageText(`${word} is stored as ${stored}; relative paths are those of the vault.`),
    );
    return stored;
  };
  const { command, args = [] } = localConfig;
  const isRelative = /[\\/]/.test(command) && !isAbsolute(command);
  return {
    ...entry,
    localConfig: {
      ...localConfig,
      command: isRelative ? store(command, true) : command,
      args: args.map((arg) => store(arg, false)),
    },
  };
}

/** A plain relative path, or a word that is the name of something that lies here. */
function isTypedPath(word: string, cwd: string): boolean {
  if (/^\.{1,2}([\\/]|$)/.test(word)) return true;
  const mayBeName = word !== '' && !word.startsWith('-') && !isAbsolute(word);
  return mayBeName && !word.includes('\0') && existsSync(resolve(cwd, word));
}

function fromVault(path: string, vaultFolder: string): string {
  const inside = relative(vaultFolder, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (isOutside) return path;
  return inside === '' ? '.' : `./${inside.split(sep).join('/')}`;
}
