import type { BrokenBinding, KnownServer, NoteContext, SectionBinding } from '../note-context.ts';
import {
  type Binding,
  type BindingOrigin,
  type BindingProblem,
  type BindingSource,
  type BindingTarget,
  describeMistake,
} from './binding.ts';
import { matchDocumentPath } from './match-document-path.ts';

/** The bindings that the settings hold for a note at this path. One that is broken refuses; it is never dropped. */
export function settingsBindings(context: NoteContext, path: string): BindingSource {
  const written = [
    ...context.servers.flatMap((server) =>
      server.sectionBindings.map((binding) => readBinding(binding, server)),
    ),
    ...context.brokenBindings.map(readBroken),
  ];
  const bindings: Binding[] = [];
  const problems: BindingProblem[] = [];
  let fault: string | null = null;
  for (const { origin, target, server, inherit, mistake } of written) {
    const { documentPath } = origin;
    const meaning = documentPath === null ? 'notes' : matchDocumentPath(documentPath, path);
    if (meaning === null) continue;
    const message = mistake === null ? null : describeMistake(origin, mistake);
    if (message !== null) problems.push({ message, line: null });
    if (target === null) fault ??= message;
    else {
      const isOfThisNote = meaning === 'note';
      bindings.push({ origin, target, server, fault: mistake, inherit, isOfThisNote });
    }
  }
  return { bindings, fault, problems };
}

/** A binding of the settings before it is known whether it is about this note. */
interface WrittenBinding extends Pick<Binding, 'server' | 'inherit'> {
  readonly origin: Extract<BindingOrigin, { readonly kind: 'settings' }>;
  /** Null when it is unknown; then there is a mistake. */
  readonly target: BindingTarget | null;
  readonly mistake: string | null;
}

function readBinding(binding: SectionBinding, server: KnownServer): WrittenBinding {
  const target = targetOf(binding);
  const mistake = typeof target === 'string' ? target : mistakeOf(binding, server);
  return {
    origin: {
      kind: 'settings',
      server: server.name,
      documentPath: binding.documentPath ?? null,
    },
    target: typeof target === 'string' ? null : target,
    server: mistake === null ? server.name : null,
    inherit: binding.inheritToChildren,
    mistake,
  };
}

function readBroken({ server, target, documentPath, message }: BrokenBinding): WrittenBinding {
  const origin = { kind: 'settings', server, documentPath } as const;
  return { origin, target, server: null, inherit: true, mistake: message };
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
    return 'A section binding of type "range" needs documentPath: line numbers belong to one note.';
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
