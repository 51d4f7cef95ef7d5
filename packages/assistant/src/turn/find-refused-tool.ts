import { APICallError } from 'ai';

/**
 * The tool whose schema a provider does not take, when its refusal says which: by name, or by its place
 * among the tools that were sent.
 */
export function findRefusedTool(error: unknown, names: readonly string[]): string | undefined {
  if (!APICallError.isInstance(error) || error.statusCode !== 400) return undefined;
  const words = `${error.message}\n${error.responseBody ?? ''}`;
  const byName = names.find((name) => words.includes(`'${name}'`) || words.includes(`"${name}"`));
  if (byName !== undefined) return byName;
  const place =
    /function_?declarations\[(\d+)\]/i.exec(words) ?? /\btools[.[](\d+)/.exec(words) ?? undefined;
  return place === undefined ? undefined : names[Number(place[1])];
}
