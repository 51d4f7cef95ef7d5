import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { engineRequest } from './engine-request.ts';
import { readProgram } from './run-program.ts';

const repository = 'errand-test';

/** Makes sure that the engine has an image with this Node in it; resolves with the image's name. */
export async function provideTestImage(
  host: string,
  cacheFolder: string,
  say: (line: string) => void,
): Promise<string> {
  const files = { '/usr/local/bin/node': process.execPath, ...(await libraries(process.execPath)) };
  const tag = await hashContents(files);
  const image = `${repository}:${tag}`;
  if ((await engineRequest(host, `/images/${image}/json`)).status === 200) return image;
  say(`Making the test image ${image}`);
  await removeOlderImages(host);
  await importImage(host, files, { tag, cacheFolder });
  return image;
}

/** The shared libraries of a program, each at the path where the loader looks for it. */
async function libraries(program: string): Promise<Record<string, string>> {
  const listed = await readProgram('ldd', [program]);
  const paths = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
  return Object.fromEntries(paths.map((path) => [path, path]));
}

async function hashContents(files: Readonly<Record<string, string>>): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([Object.keys(files), changes]));
  for (const source of Object.values(files)) await addFile(hash, source);
  return hash.digest('hex').slice(0, 16);
}

function addFile(hash: Hash, path: string): Promise<void> {
  return pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { end: false });
}

const changes = ['ENV PATH=/usr/local/bin', 'ENV HOME=/root', 'WORKDIR /root'];

/** Images of other Node versions are not needed any more; one that a container holds stays. */
async function removeOlderImages(host: string): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ reference: [repository] }));
  const { text } = await engineRequest(host, `/images/json?filters=${filters}`);
  for (const { Id } of JSON.parse(text) as { Id: string }[]) {
    await engineRequest(host, `/images/${Id}?force=true`, { method: 'DELETE' });
  }
}

async function importImage(
  host: string,
  files: Readonly<Record<string, string>>,
  { tag, cacheFolder }: { tag: string; cacheFolder: string },
): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  const stage = mkdtempSync(join(cacheFolder, 'image-'));
  try {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(stage, path)), { recursive: true });
      symlinkSync(source, join(stage, path));
    }
    for (const folder of ['etc', 'root', 'tmp']) mkdirSync(join(stage, folder));
    chmodSync(join(stage, 'tmp'), 0o1777);
    writeFileSync(join(stage, 'etc/passwd'), 'root:x:0:0:root:/root:/sbin/nologin\n');
    const query = new URLSearchParams({ fromSrc: '-', repo: repository, tag });
    for (const change of changes) query.append('changes', change);
    const tar = spawn('tar', ['--dereference', '--owner=0', '--group=0', '-C', stage, '-c', '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { status, text } = await engineRequest(host, `/images/create?${query}`, {
      method: 'POST',
      body: tar.stdout,
    });
    if (status !== 200 || text.includes('"error"')) {
      throw new Error(`The engine did not accept the test image: ${text.trim()}`);
    }
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
