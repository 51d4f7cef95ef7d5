import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clientConfig } from './client-config.ts';
import { usage } from './command-line.ts';
import type { OptionDeclarations, ServerDefinition } from './define-server.ts';
import { serve } from './serve.ts';
import { StartError } from './start-error.ts';

/**
 * The whole `main.ts` of a server: serves as its arguments say, and ends with its input, a signal
 * or the program that started it.
 */
export async function runServer<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
): Promise<void> {
  const argv = process.argv.slice(2);
  const { name, version, options = {} } = definition;
  if (argv.includes('--help')) process.stdout.write(usage(name, options));
  else if (argv.includes('--version')) process.stdout.write(`${version}\n`);
  else if (argv.some((arg) => arg.startsWith('--print-config'))) printConfig(name, options, argv);
  else await serveUntilTheEnd(definition, argv);
}

function printConfig(name: string, options: OptionDeclarations, argv: readonly string[]): void {
  try {
    process.stdout.write(clientConfig(name, options, argv, process.env));
  } catch (error) {
    complain(name, error);
    process.exitCode = isUsage(error) ? 2 : 1;
  }
}

async function serveUntilTheEnd<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
  argv: readonly string[],
): Promise<void> {
  // A promise that a handler forgot must not take the other clients down.
  process.on('unhandledRejection', (error) => complain(definition.name, error));
  try {
    const running = await serve(definition, { argv, collect: collectGarbage });
    let isStopping = false;
    const end = () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      running.stop().catch((error: unknown) => complain(definition.name, error));
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    process.on('disconnect', end);
    await running.stopped;
    // Timers and handles of the server's own must not keep it alive.
    process.exit(0);
  } catch (error) {
    complain(definition.name, error);
    process.exit(isUsage(error) ? 2 : 1);
  }
}

/** Says on standard error, in one line for a person, why something went wrong. */
function complain(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
}

function isUsage(error: unknown): boolean {
  return error instanceof StartError && error.code === 'usage';
}

let collect: ((options: object) => void) | undefined;

/** Collects all garbage and gives the pages back to the system, where this runtime lets us. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    const exposed: unknown = runInNewContext('globalThis.gc');
    collect = typeof exposed === 'function' ? (options) => exposed(options) : () => {};
  }
  // The usual kind keeps the freed pages for later.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
