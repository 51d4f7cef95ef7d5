import type { Rest } from './data-center-client.ts';
import { pathText } from './data-center-model.ts';

interface DiffFile {
  readonly source?: Parameters<typeof pathText>[0];
  readonly destination?: Parameters<typeof pathText>[0];
  readonly binary?: boolean;
  readonly truncated?: boolean;
  readonly hunks?: readonly Rest<'RestDiffHunk'>[];
}

const marks: Readonly<Record<string, string>> = { ADDED: '+', REMOVED: '-', CONTEXT: ' ' };

/** Writes what Data Center tells about changed lines as a unified diff. */
export function unifiedDiff(files: readonly DiffFile[]): string {
  return files.map(fileDiff).join('');
}

function fileDiff({ source, destination, binary, truncated, hunks = [] }: DiffFile): string {
  const oldPath = pathText(source);
  const newPath = pathText(destination);
  const head = `diff --git a/${oldPath || newPath} b/${newPath || oldPath}\n`;
  if (binary) return `${head}Binary files differ\n`;
  const from = oldPath === '' ? '/dev/null' : `a/${oldPath}`;
  const to = newPath === '' ? '/dev/null' : `b/${newPath}`;
  const lines = hunks.map((hunk) => {
    const { sourceLine = 0, sourceSpan = 0, destinationLine = 0, destinationSpan = 0 } = hunk;
    const body = (hunk.segments ?? []).flatMap(({ type = 'CONTEXT', lines: each = [] }) =>
      each.map(({ line = '' }) => `${marks[type] ?? ' '}${line}\n`),
    );
    return `@@ -${sourceLine},${sourceSpan} +${destinationLine},${destinationSpan} @@\n${body.join('')}`;
  });
  const rest = truncated ? '[Bitbucket left out the rest of this file]\n' : '';
  return `${head}--- ${from}\n+++ ${to}\n${lines.join('')}${rest}`;
}
