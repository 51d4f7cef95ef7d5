export interface Property {
  readonly name: string;
  readonly value: string;
}

/** Splits frontmatter into names and values for display. */
export function propertiesOf(lines: readonly string[]): readonly Property[] {
  const found: { name: string; value: string[] }[] = [];
  for (const line of lines) {
    const [, name, value] = /^([^\s#:-][^:]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) found.push({ name, value: value ? [value] : [] });
    else if (line.trim() !== '') found.at(-1)?.value.push(line);
  }
  return found.map(({ name, value }) => ({ name, value: value.join('\n') }));
}
