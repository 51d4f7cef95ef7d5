/** Where a package's program starts, and the oldest Node that runs it. */
export interface Program {
  readonly entry: string;
  readonly minimum: number;
}

/** The program in a package's folder: its TypeScript in a checkout, its bundle when installed. */
export function programOf(folder: string): Program;

/** Starts the program in a package's folder, here or on a newer Node that it finds. */
export function launch(folder: string): void;
