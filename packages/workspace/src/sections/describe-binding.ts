import type { NoteContext, Section } from '@errand/document';

/** The server that a section is bound to, and why. */
interface DescribedBinding {
  /** Null when the binding is broken, so that no server may be called. */
  readonly server: string | null;
  readonly state: 'usable' | 'disabled' | 'refused';
  /** `inherited from # Weather`, `from settings for Projects/**`, or what is wrong with the binding. */
  readonly why: string;
}

/** Describes the binding of a section for a person; undefined when any server may be called. */
export function describeBinding(
  { kind, decision }: Pick<Section, 'kind' | 'decision'>,
  { servers }: Pick<NoteContext, 'servers'>,
): DescribedBinding | undefined {
  if (decision.kind === 'unbound') return undefined;
  if (decision.kind === 'refused') {
    return { server: null, state: 'refused', why: decision.message };
  }
  const { server, inheritedFrom, binding } = decision;
  const { origin, target } = binding;
  const where =
    origin.kind === 'frontmatter'
      ? "this note's properties"
      : origin.documentPath === null
        ? 'settings'
        : `settings for ${origin.documentPath}`;
  const isOfWholeNote = target.kind === 'note' && kind === 'heading';
  const why =
    inheritedFrom === null
      ? `${isOfWholeNote ? 'for the whole note, ' : ''}from ${where}`
      : `inherited from ${inheritedFrom}`;
  const isEnabled = servers.some(({ name, enabled }) => name === server && enabled);
  return { server, state: isEnabled ? 'usable' : 'disabled', why };
}
