export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { createLoopbackGuard, type LoopbackGuard } from './loopback-guard.ts';
export { type Google, startGoogle } from './start-google.ts';
export { Program } from './start-program.ts';
export { type Answer, type StartedServer, startStdioServer } from './start-stdio-server.ts';
export { TestClock } from './test-clock.ts';
