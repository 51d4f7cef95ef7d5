import { basename } from 'node:path';

/**
 * The arguments of a program without the files that it only writes to: targets of `>` and `>>` in the command line of
 * a shell, and what follows `--output`. A file that is named a second time stays.
 */
export function withoutOutputs(command: string, args: readonly string[]): readonly string[] {
  const isShell = shells.has(basename(command));
  return args.flatMap((argument, index) => {
    const before = args[index - 1];
    if (before === '--output' || /^--output=/.test(argument)) return [];
    if (isShell && before !== undefined && /^-[a-z]*c$/.test(before)) {
      return [withoutRedirections(argument)];
    }
    return [argument];
  });
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);

/** Quoted parts are skipped as a whole, because a quoted `>` redirects nothing. */
function withoutRedirections(line: string): string {
  // The text of a here-document has other rules.
  if (line.includes('<<')) return line;
  return line.replace(parts, (part, target?: string) => (target === undefined ? part : ' '));
}

const parts = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\d?&?>{1,2}\|?[ \t]*([\w./~-]+)(?=[\s;|&)]|$)/gs;
