import type { HookMistakes, HookPreview, HookView, MCPServer } from '@errand/hooks';

/** What the form of a hook asks the program behind it. */
export interface HookFormPorts {
  /** The servers and their tools, from the cache unless they are to be looked for again. */
  discover(isFresh: boolean, signal: AbortSignal): Promise<readonly MCPServer[]>;
  preview(draft: object, signal: AbortSignal): Promise<HookPreview>;
  /** Stores a hook. `seen` is that of the hook as it was shown. */
  save(
    hook: object,
    seen: string | undefined,
  ): Promise<{ readonly view: HookView } | { readonly mistakes: HookMistakes }>;
  /** Calls back when servers or tools have changed, until what it returns is called. */
  onToolsChange(listener: () => void): () => void;
  /** What went wrong, for a person. */
  describe(error: unknown): string;
}
