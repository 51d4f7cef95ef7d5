import { basename, extname } from 'node:path';

/** Whether a program runs the first file it is given, whatever that is called. */
export function isInterpreter(command: string): boolean {
  const name = basename(command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(exe|cmd|bat)$/, '')
    .replace(/[\d.]+$/, '');
  return interpreters.has(name);
}

/** Whether a file is one that servers read and write, not one that says what they do. */
export function isDataFile(path: string): boolean {
  return dataEndings.has(extname(path).toLowerCase());
}

const interpreters: ReadonlySet<string> = new Set(
  'bash bun cmd dash deno dotnet env fish java julia ksh lua nice node nodejs nohup osascript perl php powershell pwsh pypy python pythonw rscript ruby sh sudo timeout ts-node tsx uv xargs zsh'.split(
    ' ',
  ),
);

const dataEndings: ReadonlySet<string> = new Set(
  '.base .canvas .csv .db .duckdb .gif .ics .jpeg .jpg .jsonl .log .markdown .md .ndjson .parquet .pdf .png .sqlite .sqlite3 .svg .tsv .txt .vcf .webp'.split(
    ' ',
  ),
);
