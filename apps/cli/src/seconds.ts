/** A duration as people read it: `0.4 s`, `75 s`. */
export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} s`;
}
