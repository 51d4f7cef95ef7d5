import { Harness } from './harness.ts';
import { openNodeLine } from './node-line.ts';

window.startHarness = async (start) => new Harness(start, await openNodeLine());
