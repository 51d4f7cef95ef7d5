/** Whether a name holds all words of a query, whatever their case; as the API finds them. */
export function matchesQuery(name: string, query: string): boolean {
  const text = name.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
