import { PassThrough } from 'node:stream';
import type { OptionDeclarations, ServerDefinition } from '../define-server.ts';
import { type RunningServer, type ServeOptions, serve } from '../serve.ts';
import { RawClient } from './raw-client.ts';

/** Serves a definition to a raw client through pipes in memory. */
export async function serveToRawClient<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
  options: Partial<ServeOptions> = {},
): Promise<AsyncDisposable & { readonly server: RunningServer; readonly client: RawClient }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = await serve(definition, { ...quiet, stdin, stdout, ...options });
  const client = new RawClient(stdin, stdout);
  return { server, client, [Symbol.asyncDispose]: () => server.stop() };
}

/** Serves a definition over HTTP on a free port of this machine. */
export async function serveOverHttp<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
  { argv = ['--http', '0'], ...options }: Partial<ServeOptions> = {},
): Promise<AsyncDisposable & { readonly server: RunningServer; readonly url: URL }> {
  const server = await serve(definition, { ...quiet, ...options, argv });
  const [transport] = server.report().transports;
  const url = new URL(String(transport?.configuration.url));
  return { server, url, [Symbol.asyncDispose]: () => server.stop() };
}

const quiet = {
  argv: [],
  env: {},
  // What is logged is read by the tests that ask for it; everything else flows away.
  stderr: new PassThrough().resume(),
} satisfies ServeOptions;
