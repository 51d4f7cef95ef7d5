import type { HealthRecords, HealthStore } from '../health-store.ts';

/** What is known of servers, for as long as a test. */
export function createMemoryHealthStore(records: HealthRecords = {}): HealthStore {
  const listeners = new Set<() => void>();
  return {
    load: async () => records,
    async save(change) {
      records = change(records);
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
