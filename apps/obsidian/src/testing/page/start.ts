import { Harness } from './harness.ts';

window.startHarness = (start) => new Harness(start);
