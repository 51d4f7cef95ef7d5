import type { SectionBinding, ServerConfig } from '@errand/host';
import { findMistakes, type Mistakes } from './find-mistakes.ts';

/** A binding's form as it is typed: every type at once, so that changing the type loses nothing. */
export interface BindingDraft {
  readonly sectionType: SectionBinding['sectionType'];
  readonly headingText: string;
  readonly blockId: string;
  readonly startLine: string;
  readonly endLine: string;
  readonly documentPath: string;
  readonly inheritToChildren: boolean;
}

export const emptyBinding: BindingDraft = {
  sectionType: 'heading',
  headingText: '',
  blockId: '',
  startLine: '',
  endLine: '',
  documentPath: '',
  inheritToChildren: true,
};

export type CheckedBinding =
  | { readonly binding: SectionBinding; readonly mistakes?: undefined }
  | { readonly mistakes: Mistakes; readonly binding?: undefined };

/** Checks a binding of a server as storing it would. */
export function checkBinding(draft: BindingDraft, server: ServerConfig): CheckedBinding {
  const { sectionType, inheritToChildren } = draft;
  const documentPath = draft.documentPath.trim();
  const binding: SectionBinding = {
    sectionType,
    ...placeOf(draft),
    serverId: server.id,
    inheritToChildren,
    ...(documentPath !== '' && { documentPath }),
  };
  const mistakes = findMistakes(
    (all) => ({ ...all, mcpServers: [{ ...server, sectionBindings: [binding] }] }),
    mainFields[sectionType],
  );
  return mistakes === undefined ? { binding } : { mistakes };
}

function placeOf(draft: BindingDraft): Partial<SectionBinding> {
  switch (draft.sectionType) {
    case 'heading':
      return { headingText: draft.headingText.trim() };
    case 'block':
      return { blockId: draft.blockId.trim() };
    case 'range':
      return { startLine: Number(draft.startLine), endLine: Number(draft.endLine) };
  }
}

const mainFields = { heading: 'headingText', block: 'blockId', range: 'endLine' } as const;

/** `Heading "## Tools" and below it, in Projects/**`. */
export function describeBinding(binding: SectionBinding): string {
  const { sectionType, headingText, blockId, startLine, endLine, documentPath } = binding;
  const what = {
    heading: `Heading "${headingText}"`,
    block: `Block ${blockId}`,
    range: `Lines ${startLine} to ${endLine}`,
  }[sectionType];
  const below = sectionType === 'heading' && binding.inheritToChildren ? ' and below it' : '';
  return `${what}${below}, in ${documentPath ?? 'every note'}`;
}

/** The bindings without the one that was shown; they may have been changed elsewhere since. */
export function withoutBinding(
  bindings: readonly SectionBinding[],
  shown: SectionBinding,
): readonly SectionBinding[] {
  const at = bindings.findIndex((each) => describeBinding(each) === describeBinding(shown));
  return at === -1 ? bindings : bindings.toSpliced(at, 1);
}
