const text = String.raw`"(?:[^"\\]|\\.)*"`;
const id = String.raw`"id"\s*:\s*(\d+|${text})`;
/** Members with a plain value, which may stand before or behind the id. */
const plain = String.raw`"\w+"\s*:\s*(?:${text}|[\w.+-]+)`;
const idAtTheBeginning = new RegExp(String.raw`^\s*\{\s*(?:(?!"id")${plain}\s*,\s*)*${id}`);
const idAtTheEnd = new RegExp(String.raw`${id}\s*(?:,\s*${plain}\s*)*\}\s*$`);
const request = new RegExp(String.raw`^\s*\{\s*(?:(?!"method")${plain}\s*,\s*)*"method"`);

/** The id of a JSON-RPC answer of which only the beginning and the end are known. */
export function guessMessageId(head: string, tail: string): string | number | undefined {
  if (request.test(head)) return undefined;
  // Servers write the id either before the result or after it.
  const found = idAtTheBeginning.exec(head)?.[1] ?? idAtTheEnd.exec(tail)?.[1];
  return found === undefined ? undefined : readId(found);
}

/** Not by `JSON.parse` alone: `01`, or a text with a raw tab in it, may be what made the line unreadable. */
function readId(found: string): string | number {
  if (!found.startsWith('"')) return Number(found);
  try {
    return JSON.parse(found) as string;
  } catch {
    return found.slice(1, -1);
  }
}
