const idAtTheBeginning =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")(?!\s*,\s*"method")/;
const idAtTheEnd = /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of a JSON-RPC answer of which only the beginning and the end are known. */
export function guessMessageId(head: string, tail: string): string | number | undefined {
  // Servers write the id either before the result or after it.
  const id = idAtTheBeginning.exec(head)?.[1] ?? idAtTheEnd.exec(tail)?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}
