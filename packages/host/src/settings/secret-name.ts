/** A name for a secret that every store takes, near to the wanted one and not among those taken. */
export function suggestSecretName(wanted: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  const plain = wanted
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
    .replace(/-+$/, '');
  const base = plain === '' ? 'secret' : plain;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!used.has(name)) return name;
  }
}

// Obsidian's storage takes 64 characters; the rest is for a number.
const longest = 60;
