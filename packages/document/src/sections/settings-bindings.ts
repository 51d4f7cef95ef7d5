import type { KnownServer, NoteContext, SectionBinding } from '../note-context.ts';
import type { Binding, BindingProblem, BindingSource, BindingTarget } from './binding.ts';
import { matchesGlob } from './matches-glob.ts';

/** The bindings that the settings hold for this note. One that is broken refuses; it is never dropped. */
export function settingsBindings(context: NoteContext): BindingSource {
  const bindings: Binding[] = [];
  const problems: BindingProblem[] = [];
  let fault: string | null = null;
  for (const server of context.servers) {
    for (const binding of server.sectionBindings) {
      const path = binding.documentPath;
      if (path !== undefined && !matchesGlob(path, context.documentPath ?? '')) continue;
      const target = targetOf(binding);
      const mistake = typeof target === 'string' ? target : mistakeOf(binding, server);
      if (mistake !== null)
        problems.push({ message: `Settings of ${server.name}: ${mistake}`, line: null });
      if (typeof target === 'string') {
        fault ??= `Settings of ${server.name}: ${target}`;
        continue;
      }
      bindings.push({
        origin: { kind: 'settings', server: server.name, documentPath: path ?? null },
        target,
        server: mistake === null ? server.name : null,
        fault: mistake,
        inherit: binding.inheritToChildren,
      });
    }
  }
  return { bindings, fault, problems };
}

/** What the binding binds, or a sentence about what is wrong. */
function targetOf(binding: SectionBinding): BindingTarget | string {
  const { sectionType, headingText, blockId, startLine, endLine } = binding;
  const given = [headingText, blockId, startLine ?? endLine].filter((value) => value !== undefined);
  if (given.length !== 1) {
    return 'A section binding sets exactly one of headingText, blockId, and startLine with endLine.';
  }
  if (sectionType === 'heading' && headingText?.trim())
    return { kind: 'heading', text: headingText };
  if (sectionType === 'block' && blockId) return { kind: 'block', id: blockId.replace(/^\^/, '') };
  if (sectionType !== 'range') return `A section binding of type "${sectionType}" lacks its text.`;
  if (binding.documentPath === undefined) {
    return 'A section binding of type "range" needs documentPath: lines mean nothing in every note.';
  }
  if (startLine === undefined || endLine === undefined || startLine < 1 || startLine >= endLine) {
    return 'A section binding of type "range" needs startLine before endLine, counted from 1.';
  }
  return { kind: 'lines', first: startLine, last: endLine };
}

function mistakeOf(binding: SectionBinding, server: KnownServer): string | null {
  if (binding.serverId === server.id) return null;
  return `A section binding has the serverId "${binding.serverId}" instead of its server's own.`;
}
