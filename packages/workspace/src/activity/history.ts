import type { CallLog } from '@errand/host';
import type { PastCall } from './call-view.ts';

/** The log is read backwards only so far: filters that match little must not read all of it. */
const mostRead = 10_000;

export interface HistoryFilter {
  readonly server?: string;
  readonly note?: string;
  readonly status?: string;
  readonly source?: string;
  /** Only calls that ended with an error or too late. */
  readonly isFailed?: boolean;
  /** Only calls made at this time or later, in milliseconds since 1970. */
  readonly since?: number;
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

/** The first calls that pass a filter, of calls given newest first. */
export function historyPage(
  calls: readonly PastCall[],
  filter: Omit<HistoryFilter, 'server' | 'note'>,
): HistoryPage {
  const {
    status,
    source,
    isFailed = false,
    since = -Infinity,
    before,
    search = '',
    limit,
  } = filter;
  // A call that is no longer in the log has none before it.
  const last = calls.findIndex(({ id }) => id === before);
  const older = before === undefined ? calls : last === -1 ? [] : calls.slice(last + 1);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = older.filter(
    (call) =>
      (status === undefined || call.status === status) &&
      (source === undefined || call.source === source) &&
      (!isFailed || hasFailed(call)) &&
      call.submittedAt >= since &&
      containsAll(call, words),
  );
  return { calls: fitting.slice(0, limit), hidden: Math.max(0, fitting.length - limit) };
}

function containsAll(call: PastCall, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { server, tool, note, status, error } = call;
  const statusText = hasFailed(call) ? `${status} failed` : status;
  const text = [server, tool, note ?? '', statusText, error?.message ?? ''].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function hasFailed({ status }: Pick<PastCall, 'status'>): boolean {
  return status === 'error' || status === 'timeout';
}

/** The time that a person names: `90s`, `30m`, `2h`, `3d` ago, or a date such as `2026-11-16` or `2026-11-16T09:30`. */
export function readSince(text: string, now: number): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number !== undefined) return now - Number(number) * (unitMs[unit] ?? 0);
  // A date alone means midnight here, not in Greenwich.
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time =
    isDate || /^\d{4}-\d{2}-\d{2}[T ]/.test(text)
      ? Date.parse(isDate ? `${text}T00:00` : text)
      : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
