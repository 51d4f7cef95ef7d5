/** The facts that paths depend on, so that they can be computed for any machine. */
export interface Platform {
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly os: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Joins names to a path in the manner of the platform. */
export function joinPath(os: string, first: string, ...names: readonly string[]): string {
  const separator = os === 'win32' ? '\\' : '/';
  return [first.replace(/[\\/]+$/, ''), ...names].join(separator);
}
