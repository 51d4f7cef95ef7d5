import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenObsidian, openObsidian } from '../open-obsidian.ts';

type Http = typeof import('node:http');

let obsidian: OpenObsidian;

beforeAll(async () => {
  obsidian = await openObsidian({}, () => ({ notes: {}, data: '{ "version": 1 }' }));
});

afterAll(() => obsidian[Symbol.asyncDispose]());

/** A server on a port of its own, or on a socket in the file system. */
async function listening(listener: RequestListener, path?: string) {
  const server = createServer(listener);
  const where = path === undefined ? { port: 0, host: '127.0.0.1' } : { path };
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return {
    url: path === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : '',
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('streams in both directions before either side has ended', async () => {
  await using server = await listening((request, response) => {
    request.on('data', (chunk) => response.write(`heard ${chunk}`));
    request.on('end', () => response.end('end'));
  });
  const heard = await obsidian.harness.evaluate(async (each, url) => {
    const { request } = each.require('node:http') as Http;
    const parts: string[] = [];
    const outgoing = request(url, { method: 'POST' });
    outgoing.write('one');
    await new Promise<void>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.once('response', async (incoming) => {
        for await (const part of incoming) {
          parts.push(String(part));
          if (parts.length === 1) outgoing.write('two');
          if (parts.length === 2) outgoing.end();
        }
        resolve();
      });
    });
    return parts;
  }, server.url);
  expect(heard).toEqual(['heard one', 'heard two', 'end']);
});

test('refuses to load a module of Node by a native import, as the renderer of the app does', async () => {
  const loading = obsidian.page.evaluate(() => new Function('return import("node:https")')());
  await expect(loading).rejects.toThrow('Failed to fetch dynamically imported module: node:https');
});

test('calls a listener that was added in time', async () => {
  await using server = await listening((_, response) => void response.end('x'));
  const isConnected = await obsidian.harness.evaluate(async (each, url) => {
    const { request } = each.require('node:http') as Http;
    let connected = false;
    const outgoing = request(url, { agent: false });
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        connected = true;
      }),
    );
    await new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.once('response', (incoming) => incoming.resume().once('end', resolve));
      outgoing.end();
    });
    return connected;
  }, server.url);
  expect(isConnected).toBe(true);
});

test('ends a request by its signal, and says how it failed', async () => {
  const cut = Promise.withResolvers<void>();
  await using server = await listening((request) => {
    request.socket.once('close', () => cut.resolve());
  });
  const name = await obsidian.harness.evaluate(async (each, url) => {
    const { request } = each.require('node:http') as Http;
    const controller = new AbortController();
    const outgoing = request(url, { signal: controller.signal });
    const failed = new Promise<Error>((resolve) => outgoing.once('error', resolve));
    outgoing.once('finish', () => controller.abort());
    outgoing.end();
    return (await failed).name;
  }, server.url);
  expect(name).toBe('AbortError');
  await cut.promise;
});

test('reaches a socket in the file system', async () => {
  const socketPath = join(obsidian.home, 'engine.sock');
  await using _ = await listening(({ url }, response) => void response.end(url), socketPath);
  const answer = await obsidian.harness.evaluate(async (each, path) => {
    const { get } = each.require('node:http') as Http;
    const { text } = each.require(
      'node:stream/consumers',
    ) as typeof import('node:stream/consumers');
    return new Promise<string>((resolve, reject) => {
      get({ socketPath: path, path: '/_ping' }, (incoming) => resolve(text(incoming))).on(
        'error',
        reject,
      );
    });
  }, socketPath);
  expect(answer).toBe('/_ping');
});

test('calls a function of the page synchronously, also during a query', async () => {
  const order = await obsidian.harness.evaluate((each) => {
    const { EventEmitter } = each.require('node:events') as typeof import('node:events');
    const emitter = new EventEmitter();
    const heard: string[] = [];
    emitter.on('news', (news: string) => {
      heard.push(news);
      if (news === 'first') emitter.emit('news', 'inner');
    });
    emitter.emit('news', 'first');
    heard.push('after');
    return heard;
  });
  expect(order).toEqual(['first', 'inner', 'after']);
});
