import type { OptionDeclarations, ServerDefinition } from './define-server.ts';
import { serve } from './serve.ts';

/** The whole `main.ts` of a server: serves as its arguments say and ends with its input or a signal. */
export async function runServer<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
): Promise<void> {
  const running = await serve(definition, { argv: process.argv.slice(2) });
  const end = () => running.stop().finally(() => process.exit());
  process.stdin.once('end', end);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
