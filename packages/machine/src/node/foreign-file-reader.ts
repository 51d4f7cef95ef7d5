import { fileStamp } from '@errand/files';
import type { ForeignFileReader } from '@errand/host';
import { readIfThere } from './read-if-there.ts';

/** Reads other programs' files from this machine's disk. */
export const foreignFileReader: ForeignFileReader = { read: readIfThere, stamp: fileStamp };
