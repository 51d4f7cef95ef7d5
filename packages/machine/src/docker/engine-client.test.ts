import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { closeServer } from '@errand/wire/node';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { EngineClient } from './engine-client.ts';
import { pullImage } from './pull-image.ts';

const mebibyte = 1024 * 1024;
const piece = Buffer.alloc(mebibyte, ' ');
/** What an engine would have sent in all to a client that takes everything. */
const flood = 128 * mebibyte;

test('an answer without end is given up, and its connection is closed', async () => {
  await using engine = await engineThat((_request, response, pour) => pour(response));
  const asked = engine.client.ask({ method: 'GET', path: '/containers/json', signal: deadline() });
  await expect(asked).rejects.toMatchObject({
    code: 'docker_unavailable',
    message: expect.stringContaining('sent an answer of more than 8 MiB'),
  });
  expect(await engine.poured).toBeLessThan(flood / 2);
});

test('a refusal without end is given up, and its status is told', async () => {
  await using engine = await engineThat((_request, response, pour) => {
    response.statusCode = 500;
    pour(response);
  });
  const asked = engine.client.ask({ method: 'GET', path: '/info', signal: deadline() });
  await expect(asked).rejects.toMatchObject({ status: 500, message: 'status 500' });
  expect(await engine.poured).toBeLessThan(flood / 2);
});

test('a version is learned from an engine that answers without end', async () => {
  const asked: string[] = [];
  await using engine = await engineThat(
    ({ url = '' }, response) => {
      asked.push(url);
      response.end('{"Name":"small"}');
    },
    (response, pour) => pour(response),
  );
  const info = engine.client.ask({ method: 'GET', path: '/info', signal: deadline() });
  expect(await info).toEqual({ Name: 'small' });
  expect(asked).toEqual(['/v1.40/info']);
  expect(await engine.poured).toBeLessThan(flood / 2);
});

test.each(['not JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'an answer that is not readable JSON says what to do about the engine',
  async (body) => {
    await using engine = await engineThat((_request, response) => response.end(body));
    const asked = engine.client.ask({ method: 'GET', path: '/info', signal: deadline() });
    await expect(asked).rejects.toMatchObject({
      code: 'docker_unavailable',
      message: expect.stringMatching(/sent an answer that cannot be read.*DOCKER_HOST/),
    });
  },
);

test('a line of a pull that is too long is counted, not kept', async () => {
  await using engine = await engineThat((_request, response, pour) => pour(response, 4 * mebibyte));
  const pulling = pullImage(engine.client, 'small:1', {
    env: {},
    server: 'flooding',
    signal: deadline(),
    onProgress: () => undefined,
  });
  await expect(pulling).rejects.toMatchObject({
    code: 'image_missing',
    message: expect.stringContaining(`the engine sent a line of ${4 * mebibyte} bytes`),
  });
});

function deadline(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

type Pour = (response: ServerResponse, bytes?: number) => void;

/** A client of an engine on a unix socket that answers as it is told. */
async function engineThat(
  answer: (request: IncomingMessage, response: ServerResponse, pour: Pour) => void,
  ping: (response: ServerResponse, pour: Pour) => void = (response) => response.end('OK'),
) {
  const folder = await temporaryFolder();
  const socketPath = join(folder.path, 'engine.sock');
  const poured = Promise.withResolvers<number>();
  /** Sends as much as the client takes. */
  const pour: Pour = (response, bytes = flood) => {
    let sent = 0;
    const next = () => {
      while (sent < bytes) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', next).on('close', () => poured.resolve(sent));
    next();
  };
  const server = createServer((request, response) => {
    response.setHeader('api-version', '1.40');
    if (request.url === '/_ping') ping(response, pour);
    else answer(request, response, pour);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    client: new EngineClient({ name: 'unix://engine', socketPath }),
    /** How many bytes the client took of what was poured, once its connection is closed. */
    poured: poured.promise,
    async [Symbol.asyncDispose]() {
      await closeServer(server);
      await folder[Symbol.asyncDispose]();
    },
  };
}
