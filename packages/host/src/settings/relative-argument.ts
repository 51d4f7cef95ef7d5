/** An argument that plainly is a relative path, alone or as the value of an option. */
interface RelativeArgument {
  /** `--root=`, or nothing. */
  readonly option: string;
  /** Begins with `.` or `..`. */
  readonly path: string;
}

/** Reads `.`, `./notes` or `--root=../notes`. A bare word may be anything and is no path here. */
export function relativeArgument(argument: string): RelativeArgument | undefined {
  const [, option = '', path] = /^(-[\w-]*=)?(\.{1,2}(?:[\\/].*)?)$/s.exec(argument) ?? [];
  return path === undefined ? undefined : { option, path };
}
