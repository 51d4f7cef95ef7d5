import type { LoggedCall } from '@errand/host';

/** Past calls that are shown, and how many more there are. */
export interface HistoryPage {
  readonly calls: readonly LoggedCall[];
  readonly hidden: number;
}

/** The first calls that fit all words of a search, in the order given. */
export function pageOfHistory(
  calls: readonly LoggedCall[],
  search: string,
  shown: number,
): HistoryPage {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = words.length === 0 ? calls : calls.filter((call) => fits(call, words));
  return { calls: fitting.slice(0, shown), hidden: Math.max(0, fitting.length - shown) };
}

function fits(
  { server, tool, note, status, error }: LoggedCall,
  words: readonly string[],
): boolean {
  const ending = status === 'error' || status === 'timeout' ? `${status} failed` : status;
  const text = [server, tool, note ?? '', ending, error?.message ?? ''].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
