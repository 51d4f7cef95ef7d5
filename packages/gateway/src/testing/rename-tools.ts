import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that takes a prefix off the names of tools and prompts, for clients that know them without. */
export async function renameTools(
  target: string,
  prefix: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((incoming, response) => void forward(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'content-length': _, 'mcp-name': name, ...headers } = incoming.headers;
    const body = Buffer.concat(await incoming.toArray()).toString();
    const sent = request(
      target,
      {
        method: incoming.method ?? 'POST',
        headers: {
          ...headers,
          ...(name !== undefined && {
            'mcp-name': headers['mcp-method'] === 'resources/read' ? name : `${prefix}${name}`,
          }),
        },
      },
      (answer) => {
        const { 'content-length': __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, kept);
        answer.setEncoding('utf8').on('data', (text: string) => {
          response.write(text.replaceAll(`"name":"${prefix}`, '"name":"'));
        });
        answer.on('end', () => response.end());
      },
    );
    response.on('close', () => sent.destroy());
    sent.on('error', () => response.destroy());
    const named = /("method":"(?:tools\/call|prompts\/get|completion\/complete)".*?"name":")/;
    sent.end(body.replace(named, `$1${prefix}`));
  }
}
