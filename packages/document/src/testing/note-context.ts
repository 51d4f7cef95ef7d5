import type { KnownServer, NoteContext, SectionBinding } from '../note-context.ts';

/** A context with servers of these names, all enabled and without bindings unless given. */
export function contextOf(
  names: readonly string[],
  bindings: Readonly<Record<string, readonly Partial<SectionBinding>[]>> = {},
  documentPath = 'Trip.md',
): NoteContext {
  const servers = names.map((name): KnownServer => {
    const id = `id-${name}`;
    const sectionBindings = (bindings[name] ?? []).map(
      (binding): SectionBinding => ({
        sectionType: 'heading',
        serverId: id,
        inheritToChildren: true,
        ...binding,
      }),
    );
    return { id, name, enabled: true, sectionBindings };
  });
  return { servers, brokenBindings: [], documentPath };
}
