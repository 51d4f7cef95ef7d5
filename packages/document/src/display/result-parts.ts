import type { ResultBlock } from '../results/result-block.ts';

/** A file that a result names. */
export interface ResultFile {
  readonly path: string;
  /** `all of it (800 lines, 90000 bytes)`, `attachment 1`. */
  readonly label: string;
}

interface ResultParts {
  readonly text: string;
  /** Paths of the pictures among its files. */
  readonly pictures: readonly string[];
  readonly files: readonly ResultFile[];
}

/** A result's text without the lines that name files: what was too long for the note, and what is no text. */
export function resultParts({ type, payload }: Pick<ResultBlock, 'type' | 'payload'>): ResultParts {
  const lines = payload.split('\n');
  if (type === 'image') {
    const pictures = lines.map((line) => line.trim()).filter(isPicture);
    return { text: '', pictures, files: [] };
  }
  const files: ResultFile[] = [];
  for (;;) {
    const [, label, path] = namesFile.exec(lines.at(-1) ?? '') ?? [];
    if (label === undefined || path === undefined) break;
    files.unshift({ label, path });
    lines.pop();
  }
  const pictures = files.map(({ path }) => path).filter(isPicture);
  return { text: lines.join('\n'), pictures, files };
}

const namesFile = /^(?:… )?(all of it \(\d+ lines?, \d+ bytes\)|attachment \d+): (.+)$/;

/** Whether a browser shows the file as a picture. */
export function isPicture(path: string): boolean {
  return /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i.test(path);
}
