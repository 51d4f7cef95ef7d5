import { createInterface } from 'node:readline';
import { fuzzedReply } from './fuzzed-reply.ts';

// A server as a program, whose every answer follows on lines made to hurt: `node fuzzed-server.ts legacy|modern`.
const isModern = process.argv[2] === 'modern';
let seed = 0;
createInterface({ input: process.stdin })
  .on('line', (line) => {
    seed += 1;
    const reply = fuzzedReply(line, { isModern, seed, fuzzesHandshake: false });
    if (reply !== undefined) process.stdout.write(reply);
  })
  .on('close', () => process.exit(0));
