export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { createLoopbackGuard, type LoopbackGuard } from './loopback-guard.ts';
export { type Google, startGoogle } from './start-google.ts';
export { Program } from './start-program.ts';
export { TestClock } from './test-clock.ts';
