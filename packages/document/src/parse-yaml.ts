import {
  type Document,
  type DocumentOptions,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml';

/** YAML as a document, with where its lines begin. */
export interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Parses YAML in linear time: the library compares each key of a mapping with all others. */
export function parseYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): ParsedYaml {
  const lines = new LineCounter();
  const fixed = { lineCounter: lines, prettyErrors: false, uniqueKeys: false } as const;
  const document = parseDocument(text, { ...options, ...fixed });
  const doubles = doubleKeys(document.contents);
  if (doubles.length > 0) {
    document.errors.unshift(...doubles);
    document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  }
  return { document, lines };
}

/** The errors that the library reports for keys that stand twice in one mapping. */
function doubleKeys(root: unknown): readonly YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.key, node.value);
    if (!isCollection(node)) continue;
    for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const at = key.range?.[0] ?? 0;
      if (keys.has(key.value))
        errors.push(new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
      keys.add(key.value);
    }
  }
  return errors;
}
