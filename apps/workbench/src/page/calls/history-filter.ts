import type { CallSource } from '@errand/host';
import type { PastCall } from '../../contract.ts';
import type { Route } from '../model/route.ts';
import { endings, sourceLabels } from './call-labels.ts';

/** Which past calls are shown; empty is all. It stands in the address, so that it can be passed on. */
export interface HistoryFilter {
  readonly server: string;
  readonly note: string;
  readonly status: string;
  readonly source: string;
}

export const noFilter: HistoryFilter = { server: '', note: '', status: '', source: '' };

const atOnce = 50;

/** What an address asks for. What cannot be is left out. */
export function filterOf({ server = '', note = '', status = '', source = '' }: Route['options']) {
  const filter: HistoryFilter = {
    server,
    note,
    status: status in endings ? status : '',
    source: source in sourceLabels ? source : '',
  };
  return filter;
}

/** The options of the address that asks for it. */
export function optionsOf(filter: HistoryFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The path of the API that answers with the next calls behind the last one shown. */
export function historyPath(filter: HistoryFilter, last: PastCall | undefined): string {
  const query = new URLSearchParams({ ...optionsOf(filter), limit: String(atOnce) });
  if (last !== undefined) query.set('before', last.id);
  return `/calls/history?${query}`;
}

/** Whether a call that has just ended belongs to what is shown. */
export function fits(filter: HistoryFilter, call: PastCall): boolean {
  const { server, note, status, source } = filter;
  return (
    (server === '' || call.server.toLowerCase() === server.toLowerCase()) &&
    (note === '' || call.note === note) &&
    (status === '' || call.status === status) &&
    (source === '' || call.source === (source as CallSource))
  );
}

/** Calls that ended meanwhile above those that were read, each once. */
export function joinHistory(
  ended: readonly PastCall[],
  read: readonly PastCall[],
): readonly PastCall[] {
  const known = new Set(read.map(({ id }) => id));
  return [...ended.filter(({ id }) => !known.has(id)), ...read];
}
