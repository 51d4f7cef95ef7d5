import { ConnectionBench, callText } from './connection-bench.ts';

// A host as a program, for a test of its memory: a process of its own, so that nothing else is measured.
await using bench = new ConnectionBench();
const connection = await bench.local();
await callText(connection, 'stderr', { bytes: 5_000_000 });
const before = process.memoryUsage().rss;
await callText(connection, 'stderr', { bytes: 100_000_000 });
const grownBy = process.memoryUsage().rss - before;
process.stdout.write(JSON.stringify({ grownBy, lastOutput: connection.lastOutput().length }));
