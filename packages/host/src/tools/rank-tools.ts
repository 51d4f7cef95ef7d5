/** What of a tool is searched. */
interface SearchedTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

/** The tools that fit the words of a query best, best first; equal ones in the order they came. */
export function rankTools<Tool>(
  tools: readonly Tool[],
  textsOf: (tool: Tool) => SearchedTool,
  {
    query,
    server,
    most,
  }: { readonly query: string; readonly server?: string; readonly most: number },
): readonly Tool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return tools
    .map((tool) => ({ tool, texts: textsOf(tool) }))
    .filter(({ texts }) => server === undefined || isSame(texts.server, server))
    .map(({ tool, texts }) => ({ tool, score: scoreOf(texts, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ tool }) => tool);
}

function scoreOf(tool: SearchedTool, words: readonly string[]): number {
  const name = `${tool.server} ${tool.name}`.toLowerCase();
  const description = tool.description.toLowerCase();
  return words.reduce(
    (score, word) => score + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
    0,
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
