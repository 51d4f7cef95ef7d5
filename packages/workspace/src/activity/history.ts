import type { CallLog } from '@errand/host';
import type { PastCall } from './call-view.ts';

/** The log is read backwards only so far: filters that match little must not read all of it. */
const mostRead = 10_000;

export interface HistoryFilter {
  readonly server?: string;
  readonly note?: string;
  readonly status?: string;
  readonly source?: string;
  /** Only calls older than the one with this id. */
  readonly before?: string;
  /** Words that the server, tool, note, status and error must hold all of. */
  readonly search?: string;
  readonly limit: number;
}

interface HistoryPage<Call = PastCall> {
  /** Newest first. */
  readonly calls: readonly Call[];
  /** How many more are known that the limit left out. */
  readonly hidden: number;
}

/** Reads a page of the calls that ended from the log. */
export async function readHistory(
  log: Pick<CallLog, 'query'>,
  filter: HistoryFilter,
  signal?: AbortSignal,
): Promise<HistoryPage> {
  const { limit, server, note, ...rest } = filter;
  const isFiltered = Object.values(rest).some((value) => value !== undefined);
  const logged = await log.query(
    {
      limit: isFiltered ? mostRead : limit + 1,
      ...(server !== undefined && { server }),
      ...(note !== undefined && { note }),
    },
    signal,
  );
  return historyPage(logged, { ...rest, limit });
}

/** Finds a call in the log by its id. */
export async function findLogged(
  log: Pick<CallLog, 'query'>,
  id: string,
  signal?: AbortSignal,
): Promise<PastCall | undefined> {
  const calls = await log.query({ limit: mostRead }, signal);
  return calls.find((call) => call.id === id);
}

/** The first calls that pass a filter, of calls given newest first. */
export function historyPage(
  calls: readonly PastCall[],
  filter: Omit<HistoryFilter, 'server' | 'note'>,
): HistoryPage {
  const { status, source, before, search = '', limit } = filter;
  // A call that is no longer in the log has none before it.
  const last = calls.findIndex(({ id }) => id === before);
  const older = before === undefined ? calls : last === -1 ? [] : calls.slice(last + 1);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = older.filter(
    (call) =>
      (status === undefined || call.status === status) &&
      (source === undefined || call.source === source) &&
      containsAll(call, words),
  );
  return { calls: fitting.slice(0, limit), hidden: Math.max(0, fitting.length - limit) };
}

function containsAll(call: PastCall, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { server, tool, note, status, error } = call;
  const statusText = status === 'error' || status === 'timeout' ? `${status} failed` : status;
  const text = [server, tool, note ?? '', statusText, error?.message ?? ''].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
