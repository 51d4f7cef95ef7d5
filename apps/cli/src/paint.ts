import type { CallStatus } from '@errand/host';

/** What a colour says. */
export type Tone = 'good' | 'accent' | 'warn' | 'bad';

/** Puts a text in the colour of a tone; absent where there are no colours. */
export type Paint = (tone: Tone, text: string) => string;

/** Paints the cells of one column of a table, row by row; rows without a tone stay as they are. */
export function paintColumn(
  paint: Paint | undefined,
  column: number,
  tones: readonly (Tone | 'neutral' | undefined)[],
): ((cell: string, column: number, row: number) => string) | undefined {
  if (paint === undefined) return undefined;
  return (cell, at, row) => {
    const tone = at === column ? tones[row] : undefined;
    return tone === undefined || tone === 'neutral' ? cell : paint(tone, cell);
  };
}

/** The tone of how a call or a block ended. */
export const outcomeTones: Readonly<Record<CallStatus | 'skipped' | 'refused', Tone | undefined>> =
  {
    pending: undefined,
    executing: 'accent',
    success: 'good',
    error: 'bad',
    timeout: 'bad',
    cancelled: 'warn',
    skipped: undefined,
    refused: 'warn',
  };
