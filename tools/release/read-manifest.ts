import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a `package.json` that releases are made from. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
