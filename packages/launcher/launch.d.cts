/** Starts the program in a package's folder, here or on a newer Node that it finds. */
export function launch(folder: string): void;
