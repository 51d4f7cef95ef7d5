import { type IncomingMessage, request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { onAbort } from '@errand/wire';

/**
 * `fetch` over Node's own HTTP: inside an editor the global one is a browser's, which asks servers for
 * permissions that they give to no page. It streams, and follows no redirect; no connection outlives its
 * answer.
 */
export const fetchOverNode: typeof fetch = async (input, init = {}) => {
  const { url, method, headers, body, signal } = new Request(input, init);
  const sent = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? tlsRequest : request;
    const asking = ask(url, {
      method,
      agent: false,
      headers: {
        // A compressed body would have to be decompressed here.
        'accept-encoding': 'identity',
        ...Object.fromEntries(headers),
        ...(sent && { 'content-length': String(sent.length) }),
      },
    });
    const listening = onAbort(signal, () => asking.destroy());
    asking.once('close', listening[Symbol.dispose]);
    asking.on('error', (cause) => reject(signal.aborted ? signal.reason : unreached(cause)));
    asking.once('response', (incoming) => {
      try {
        resolve(responseOf(incoming, signal));
      } catch (cause) {
        // Statuses exist that no `Response` can have.
        asking.destroy();
        reject(unreached(cause));
      }
    });
    asking.end(sent);
  });
};

/** The error of fetch when the connection fails. */
function unreached(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** Statuses that come without a body. */
const bodiless = [204, 205, 304];

function responseOf(incoming: IncomingMessage, signal: AbortSignal): Response {
  const status = incoming.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  const statusText = incoming.statusMessage ?? '';
  const isBodiless = bodiless.includes(status);
  if (isBodiless) incoming.resume();
  return new Response(isBodiless ? null : streamOf(incoming, signal), {
    status,
    statusText,
    headers,
  });
}

/** Made of the global class: a renderer's `Response` takes no stream of Node. */
function streamOf(incoming: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  let isOver = false;
  const end = (finish: () => void) => {
    if (!isOver) finish();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: Error) =>
        end(() => controller.error(signal.aborted ? signal.reason : unreached(error)));
      incoming.on('data', (bytes: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(new Uint8Array(bytes));
        if ((controller.desiredSize ?? 1) <= 0) incoming.pause();
      });
      incoming.once('end', () => end(() => controller.close()));
      incoming.once('error', fail);
      // A connection that is cut emits no end event.
      incoming.once('close', () => fail(new Error('The connection was closed.')));
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      end(() => incoming.destroy());
    },
  });
}
