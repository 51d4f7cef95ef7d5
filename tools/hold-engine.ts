import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { enginePaths } from './provision/engine-paths.ts';
import { startDockerd, stopDockerd } from './provision/private-dockerd.ts';
import { provideTestImage } from './provision/test-image.ts';

// An engine for a test that needs one to itself: `node hold-engine.ts FOLDER`. It prints its address and
// image, obeys the lines "stop" and "start", and goes with the end of its input.
const folder = process.argv[2] ?? '';
const place = enginePaths(folder);
const host = `unix://${place.socketPath}`;
mkdirSync(place.dataFolder, { recursive: true });
await startDockerd(place, process.env);
try {
  const image = await provideTestImage(host, folder, () => {});
  console.log(JSON.stringify({ host, image }));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') await stopDockerd(place);
    if (line === 'start') await startDockerd(place, process.env);
    console.log(line);
  }
} finally {
  await stopDockerd(place);
}
