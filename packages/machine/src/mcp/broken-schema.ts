import { isRecord, type JsonObject } from '@errand/wire';

/** Deeper or larger schemas than this are not a person's work, and walking them is not ours. */
const deepest = 64;
const maxNodes = 20_000;

const mapsOfSchemas = ['properties', 'patternProperties', '$defs', 'definitions'];
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemas = ['additionalProperties', 'items', 'not', 'if', 'then', 'else', 'contains'];

/** Why an input schema cannot be used to check a call; undefined when it can. */
export function brokenSchema(root: unknown): string | undefined {
  if (!isRecord(root)) return 'its input schema is not an object';
  const { type = 'object' } = root;
  if (type !== 'object') return `its input schema is of type ${JSON.stringify(type)}, not "object"`;
  const waiting: { node: unknown; path: string; depth: number }[] = [
    { node: root, path: 'inputSchema', depth: 0 },
  ];
  for (let seen = 0; seen < waiting.length; seen += 1) {
    const { node, path, depth } = waiting[seen] ?? { node: root, path: '', depth: 0 };
    if (depth > deepest || seen > maxNodes) return 'its input schema is too large';
    if (typeof node === 'boolean') continue;
    if (!isRecord(node)) return `${path} is not a schema`;
    const wrong = wrongIn(node, root);
    if (wrong !== undefined) return `${path}${wrong}`;
    for (const [key, child] of childrenOf(node)) {
      waiting.push({ node: child, path: `${path}.${key}`, depth: depth + 1 });
    }
  }
  return undefined;
}

function wrongIn(node: JsonObject, root: JsonObject): string | undefined {
  const { pattern, required, $ref } = node;
  if (pattern !== undefined && !isPattern(pattern)) return '.pattern is not a regular expression';
  if (required !== undefined && !isListOfNames(required)) return '.required is not a list of names';
  const notMap = mapsOfSchemas.find((key) => node[key] !== undefined && !isRecord(node[key]));
  if (notMap !== undefined) return `.${notMap} is not an object`;
  if (typeof $ref === 'string' && $ref.startsWith('#/') && !pointsSomewhere(root, $ref)) {
    return ` refers to ${$ref}, which does not exist`;
  }
  return undefined;
}

function childrenOf(node: JsonObject): [string, unknown][] {
  const grouped = [...mapsOfSchemas, ...listsOfSchemas].flatMap((key) =>
    Object.entries((node[key] ?? {}) as JsonObject).map(([name, child]): [string, unknown] => [
      `${key}.${name}`,
      child,
    ]),
  );
  // Older dialects allow a list for "items".
  const single = schemas.filter((key) => node[key] !== undefined && !Array.isArray(node[key]));
  return [...grouped, ...single.map((key): [string, unknown] => [key, node[key]])];
}

function isPattern(pattern: unknown): boolean {
  // Many servers write patterns that are only right without the u flag.
  return typeof pattern === 'string' && (compiles(pattern, 'u') || compiles(pattern, ''));
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

function pointsSomewhere(root: JsonObject, pointer: string): boolean {
  let node: unknown = root;
  for (const part of pointer.slice(2).split('/')) {
    const key = part.replaceAll('%25', '%').replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as JsonObject | null | undefined)?.[key];
  }
  return node !== undefined;
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
