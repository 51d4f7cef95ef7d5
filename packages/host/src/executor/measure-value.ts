/** How large a JSON value is: its parts, where long texts count as several, and how deep they are nested. */
interface ValueSize {
  readonly parts: number;
  readonly depth: number;
}

/** Measures without recursion, and stops at either limit: the answer then exceeds it by little. */
export function measureValue(value: unknown, limits: ValueSize): ValueSize {
  let parts = 0;
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && parts <= limits.parts && depth <= limits.depth) {
    const next: unknown[] = [];
    for (const part of level) {
      parts += typeof part === 'string' ? 1 + part.length / 1000 : 1;
      if (parts > limits.parts) break;
      if (typeof part !== 'object' || part === null) continue;
      for (const child of Object.values(part)) next.push(child);
    }
    level = next;
    if (level.length > 0) depth += 1;
  }
  return { parts, depth };
}
