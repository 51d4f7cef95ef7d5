import { matchDocumentPath } from '@errand/document';
import type { LoadedSettings } from '../settings-store.ts';

/** Every `documentPath` that a binding of the settings names. */
export function documentPathsOf({
  mcpServers,
  brokenBindings,
}: Pick<LoadedSettings, 'mcpServers' | 'brokenBindings'>): readonly string[] {
  const bindings = [...mcpServers.flatMap((server) => server.sectionBindings), ...brokenBindings];
  return [...new Set(bindings.flatMap(({ documentPath }) => documentPath ?? []))];
}

/** The paths that match none of the notes; stops reading notes once all are matched. */
export async function unmatchedPaths(
  documentPaths: readonly string[],
  notes: AsyncIterable<string> | Iterable<string>,
): Promise<readonly string[]> {
  const left = new Set(documentPaths);
  if (left.size === 0) return [];
  for await (const note of notes) {
    for (const path of left) if (matchDocumentPath(path, note) !== null) left.delete(path);
    if (left.size === 0) break;
  }
  return [...left];
}

/** Says that a binding names notes that are not there. */
export function describeUnmatched(documentPath: string): string {
  return `No note matches "${documentPath}", the documentPath of a section binding; that binding is ignored. Correct the path, or delete the binding.`;
}
