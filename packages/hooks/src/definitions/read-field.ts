/**
 * The value of a context field by its path, such as `branch`, `call.status` or `actions[0].output`; undefined when
 * there is none. Only own properties count, so `constructor` is no field.
 */
export function readField(fields: unknown, path: string): unknown {
  let value = fields;
  for (const name of fieldPath(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The names that a path is made of: `actions[0].output` is `actions`, `0` and `output`. */
export function fieldPath(path: string): readonly string[] {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const names = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  if (paths.size > mostPaths) paths.clear();
  paths.set(path, names);
  return names;
}

/** A thousand hooks read the same few fields of every event. */
const paths = new Map<string, readonly string[]>();
const mostPaths = 1_000;
