export type MemoryPressure = 'normal' | 'warning' | 'critical';

/** How near the resident memory is to its limit: a warning from 80 %, critical from 90 %. */
export function memoryPressure(used: number, limit: number): MemoryPressure {
  if (used >= limit * 0.9) return 'critical';
  return used >= limit * 0.8 ? 'warning' : 'normal';
}
