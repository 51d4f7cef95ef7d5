import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser may have to load before the workbench shows itself, gzipped. */
const mostBytes = 150_000;

export interface FirstLoad {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly bytes: number;
}

/** The scripts and styles that a built page names in its HTML: its entry, and all that it imports at once. */
export function measureFirstLoad(folder: string): FirstLoad {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g);
  const files = Array.from(named, ([, path = '']) => ({
    name: path.replace(/^\.?\//, ''),
    bytes: gzipSync(readFileSync(join(folder, path))).length,
  }));
  return { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Throws, with the numbers, when a built page loads too much at once; else says how much it is. */
export function checkFirstLoad(folder: string, most = mostBytes): string {
  const { files, bytes } = measureFirstLoad(folder);
  if (files.length === 0) throw new Error(`${folder}/index.html names no script.`);
  const kilobytes = (count: number) => `${(count / 1_000).toFixed(1)} KB`;
  const sum = `The workbench's first load is ${kilobytes(bytes)} gzipped of ${kilobytes(most)}`;
  if (bytes <= most) return `${sum}.`;
  const lines = files.map((file) => `  ${kilobytes(file.bytes)}  ${file.name}`);
  throw new Error(`${sum}. Load what is not needed at once by import().\n${lines.join('\n')}`);
}
