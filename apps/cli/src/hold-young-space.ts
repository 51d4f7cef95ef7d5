import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's space for young objects as large as loading the program has made it. V8 doubles it whenever many objects
 * survive, up to 128 MB where the machine has memory, and hardly ever gives it back: a program that stays would keep
 * what its busiest second took.
 */
export function holdYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
