import { oneLine } from '@errand/host';
import stringWidth from 'fast-string-width';

/** Rows as aligned columns, two spaces apart; the last column is left as long as it is. `paint` takes no room. */
export function table(
  texts: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): string {
  const rows = texts.map((row) => row.map((cell) => oneLine(cell)));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
    });
  }
  return rows
    .map(
      (row, at) =>
        `${row
          .map((cell, column) => paint(cell, column, at) + padding(cell, widths[column]))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function padding(cell: string, width = 0): string {
  return ' '.repeat(Math.max(0, width - stringWidth(cell)));
}
