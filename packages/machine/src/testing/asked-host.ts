import { ConnectionBench, callText } from './connection-bench.ts';

// A host as a program, for a test of its memory: its server asks it again and again, and reads nothing.
await using bench = new ConnectionBench();
const connection = await bench.local();
await callText(connection, 'echo', { text: 'warm' });
const before = process.memoryUsage().rss;
const message = await callText(connection, 'ask-for-ever').catch((error: Error) => error.message);
const grownBy = process.memoryUsage().rss - before;
const lost = (await connection.lost).message;
process.stdout.write(JSON.stringify({ grownBy, message, lost }));
