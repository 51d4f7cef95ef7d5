import { fileStamp } from '@errand/files';
import type { ForeignFileReader } from '@errand/host';
import { readIfExists } from './read-if-exists.ts';

/** Reads other programs' files from this machine's disk. */
export const foreignFileReader: ForeignFileReader = { read: readIfExists, stamp: fileStamp };
