import type { SharedCounts } from '../job-engine.ts';
import type { Database } from './database.ts';

/** Counts in the tables of a space, by the clock of the database. */
export function countsIn(query: Database['query']): SharedCounts {
  return {
    async add(key, member, ageMs = 0) {
      const age = Math.max(0, Math.round(ageMs));
      await query('SELECT SPACE.count_member($1, $2, $3)', [key, member, age]);
    },
    async place(key, member, withinMs) {
      const [row] = await query('SELECT SPACE.place_of($1, $2, $3) AS place', [
        key,
        member,
        withinMs,
      ]);
      return Number(row?.place);
    },
  };
}
