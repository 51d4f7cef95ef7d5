import type { ForeignFileReader } from '@errand/host';
import { readIfThere } from './read-if-there.ts';
import { fileStamp } from './watch-file-text.ts';

/** Reads other programs' files from this machine's disk. */
export const foreignFileReader: ForeignFileReader = { read: readIfThere, stamp: fileStamp };
