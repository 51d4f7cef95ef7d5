import type { NoteScan } from '../scan/note-scan.ts';

/** The texts of the headings that a line stands under, outermost first. Ask in the order of the note. */
export function headingPath(
  scan: NoteScan,
): (place: { readonly line: number }) => readonly string[] {
  const headings = scan.headings.filter(({ within }) => within === null);
  const open: { level: number; text: string }[] = [];
  let next = 0;
  return ({ line }) => {
    for (
      let heading = headings[next];
      heading !== undefined && heading.line < line;
      heading = headings[++next]
    ) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      open.push(heading);
    }
    return open.map(({ text }) => text);
  };
}
