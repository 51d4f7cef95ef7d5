import { managedConnector, scriptedContainer } from './docker.ts';

// A host as a program, for a test of its memory: a process of its own, so that nothing else is measured.
const signal = AbortSignal.timeout(120_000);
await using connection = await managedConnector().connect(scriptedContainer(), { signal });
const write = (bytes: number) =>
  connection.callTool({ tool: 'stderr', arguments: { bytes } }, { signal });
await write(20_000_000);
const before = process.memoryUsage().rss;
await write(300_000_000);
const grownBy = process.memoryUsage().rss - before;
process.stdout.write(JSON.stringify({ grownBy, lastOutput: connection.lastOutput().length }));
