/** A file that a result names. */
export interface ResultFile {
  readonly path: string;
  /** `all of it (800 lines, 90000 bytes)`, `attachment 1`. */
  readonly label: string;
}

export interface ResultParts {
  readonly text: string;
  readonly files: readonly ResultFile[];
}

/** A result's text without the last lines that name files: what was too long for the note, and what is no text. */
export function resultParts(payload: string): ResultParts {
  const lines = payload.split('\n');
  const files: ResultFile[] = [];
  for (;;) {
    const [, label, path] = namesFile.exec(lines.at(-1) ?? '') ?? [];
    if (label === undefined || path === undefined) break;
    files.unshift({ label, path });
    lines.pop();
  }
  return { text: lines.join('\n'), files };
}

const namesFile = /^(?:… )?(all of it \(\d+ lines, \d+ bytes\)|attachment \d+): (.+)$/;

/** Whether a browser shows the file as a picture. */
export function isPicture(path: string): boolean {
  return /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i.test(path);
}
