import { parentOf, type TreeRow } from './tree-rows.ts';

/** The effect of a key in the tree: move to a row, fold a folder, or open a note. */
export interface TreeMove {
  readonly to?: number;
  readonly fold?: TreeRow;
  readonly open?: string;
}

/** Rows moved by PageUp and PageDown. */
const page = 20;

/** Implements the ARIA tree keyboard pattern; undefined for other keys. */
export function moveInTree(
  key: string,
  rows: readonly TreeRow[],
  at: number,
): TreeMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const go = (to: number) => ({ to: Math.max(0, Math.min(rows.length - 1, to)) });
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'PageDown':
      return go(at + page);
    case 'PageUp':
      return go(at - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.kind === 'note') return undefined;
      return row.isOpen ? go(at + 1) : { fold: row };
    case 'ArrowLeft': {
      if (row.isOpen) return { fold: row };
      const parent = rows.findIndex(({ path }) => path === parentOf(row.path));
      return parent === -1 ? undefined : go(parent);
    }
    case 'Enter':
    case ' ':
      return row.kind === 'folder' ? { fold: row } : { open: row.path };
    default:
      return undefined;
  }
}
