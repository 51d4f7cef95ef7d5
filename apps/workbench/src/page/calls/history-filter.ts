import type { CallSource } from '@errand/host';
import type { PastCall } from '../../contract.ts';
import type { api } from '../model/api.ts';
import type { Route } from '../model/route.ts';
import { outcomes, sourceLabels } from './call-labels.ts';

type HistoryQuery = Parameters<typeof api.calls.history.$get>[0]['query'];
type Status = NonNullable<HistoryQuery['status']>;

/** Which past calls are shown; an empty field matches all. It is part of the URL. */
export interface HistoryFilter {
  readonly server: string;
  readonly note: string;
  readonly status: Status;
  readonly source: string;
}

export const noFilter: HistoryFilter = { server: '', note: '', status: '', source: '' };

const pageSize = 50;

/** Reads the filter from the options of a route; unknown values are ignored. */
export function filterOf({ server = '', note = '', status = '', source = '' }: Route['options']) {
  const filter: HistoryFilter = {
    server,
    note,
    status: isStatus(status) ? status : '',
    source: source in sourceLabels ? source : '',
  };
  return filter;
}

function isStatus(status: string): status is Status {
  return status in outcomes;
}

/** The route options that select this filter. */
export function optionsOf(
  filter: Readonly<Record<keyof HistoryFilter, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The query for the calls after the last one shown. */
export function historyQuery(filter: HistoryFilter, last: PastCall | undefined): HistoryQuery {
  return { ...filter, limit: String(pageSize), ...(last !== undefined && { before: last.id }) };
}

/** Whether a call matches the filter. */
export function fits(filter: HistoryFilter, call: PastCall): boolean {
  const { server, note, status, source } = filter;
  return (
    (server === '' || call.server.toLowerCase() === server.toLowerCase()) &&
    (note === '' || call.note === note) &&
    (status === '' || call.status === status) &&
    (source === '' || call.source === (source as CallSource))
  );
}

/** Puts calls that ended since the log was read before those from the log, without duplicates. */
export function joinHistory(
  ended: readonly PastCall[],
  read: readonly PastCall[],
): readonly PastCall[] {
  const known = new Set(read.map(({ id }) => id));
  return [...ended.filter(({ id }) => !known.has(id)), ...read];
}
