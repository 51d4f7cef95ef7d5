/** A name that Obsidian's secret storage takes, near to the wanted one and not among those taken. */
export function suggestSecretName(wanted: string, taken: readonly string[]): string {
  const plain = wanted
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = plain === '' ? 'secret' : plain;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
