import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** What to do about a server that fails: the last sentence of the failures that a test shows more of. */
export function testAdvice(server: string): string {
  return `See each step, and what it wrote last, with: errand servers test ${server}`;
}

/** The failure as the test itself tells it: to test again would show nothing new. */
export function failureOfTest(error: HostError, { name, deploymentType }: ServerConfig): HostError {
  const advice = `Check ${parts[deploymentType]}, and change what is wrong with: errand servers edit ${name}`;
  const message = error.message.replace(testAdvice(name), () => advice);
  return new HostError(error.code, message, error.facts, { cause: error });
}

const parts: Readonly<Record<ServerConfig['deploymentType'], string>> = {
  local: 'its command, arguments and environment',
  managed: 'its image, command and environment',
  external: 'its address and headers',
};
