import type { TrustRecord, TrustStore } from '../trust-store.ts';

/** Trust that lives as long as a test. */
export function createMemoryTrustStore(): TrustStore {
  let record: TrustRecord = new Map();
  const listeners = new Set<() => void>();
  return {
    load: async () => record,
    async save(change) {
      record = change(record);
      for (const listener of listeners) listener();
      return record;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
