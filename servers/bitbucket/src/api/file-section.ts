/** The part of a unified diff that belongs to one file, by its new or its old path. */
export function fileSection(diff: string, path: string): string {
  const wanted = new Set([`a/${path}`, `b/${path}`]);
  const sections = diff.split(/^(?=diff --git )/m);
  return sections.filter((section) => pathsOf(section).some((each) => wanted.has(each))).join('');
}

/** The paths that the head of a section names. */
function pathsOf(section: string): readonly string[] {
  const [head = ''] = section.split(/^@@ /m, 1);
  const named = [...head.matchAll(/^(?:---|\+\+\+) (.+?)\t?$/gm)].map(([, name = '']) => name);
  const moved = [...head.matchAll(/^(?:rename|copy) (?:from|to) (.+)$/gm)].map(
    ([, name = '']) => `b/${unquote(name)}`,
  );
  const first = /^diff --git (.+)$/m.exec(head)?.[1] ?? '';
  const middle = first.length >> 1;
  // Without a rename both halves are the same but for their first letter.
  const halves = [first.slice(0, middle), first.slice(middle + 1)];
  return [...named, ...moved, ...halves].flatMap((name) => [name, unquote(name)]);
}

/** Git writes names with special characters in quotes, their bytes in octal. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const inner = name.slice(1, -1);
  for (let index = 0; index < inner.length; index += 1) {
    const octal = /^\\([0-7]{3})/.exec(inner.slice(index, index + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      index += 3;
      continue;
    }
    const isEscaped = inner[index] === '\\';
    if (isEscaped) index += 1;
    const letter = inner[index] ?? '';
    const plain = isEscaped ? ({ n: '\n', t: '\t' }[letter] ?? letter) : letter;
    bytes.push(...Buffer.from(plain));
  }
  return Buffer.from(bytes).toString();
}
