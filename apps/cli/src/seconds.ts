/** A duration as people read it: `15 ms`, `2.4 s`, `75 s`. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const value = milliseconds / 1000;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} s`;
}
