import {
  bindSection,
  type NoteContext,
  type NoteScan,
  resolveSections,
  type SectionReference,
  type WantedBinding,
} from '@errand/document';

/** A way to bind or unbind a part of a note. */
export interface BindingChoice {
  readonly label: string;
  /** Which part of the note it is about. */
  readonly detail: string;
  readonly part: SectionReference;
  /** Null to unbind. */
  readonly wanted: WantedBinding | null;
}

/** The choices at a line: its section, alone or with the sections below it, and a block that has an id. */
export function bindingChoices(
  scan: NoteScan,
  context: NoteContext,
  line: number,
): readonly BindingChoice[] {
  const section = { kind: 'section', line } as const;
  const title = titleAt(scan, context, line);
  const id = blockIdAt(scan, line);
  const parts: readonly (Omit<BindingChoice, 'label' | 'wanted'> & {
    readonly inherit?: boolean;
  })[] = [
    ...(title === undefined
      ? [{ detail: 'the whole note', part: section }]
      : [
          { detail: `${title} and what is below it`, part: section, inherit: true },
          { detail: `only ${title}`, part: section, inherit: false },
        ]),
    ...(id === undefined ? [] : [{ detail: `only the block ^${id}`, part: blockPart(id) }]),
  ];
  const bind = parts.flatMap(({ detail, part, inherit }) =>
    context.servers.map(({ name, enabled }) => ({
      label: enabled ? name : `${name} (disabled)`,
      detail,
      part,
      wanted: { server: name, ...(inherit !== undefined && { inherit }) },
    })),
  );
  const unbind = [
    { detail: title ?? 'the whole note', part: section },
    ...(id === undefined ? [] : [{ detail: `the block ^${id}`, part: blockPart(id) }]),
  ].filter(({ part }) => bindSection(scan, context, part, null).kind === 'edits');
  return [...bind, ...unbind.map((each) => ({ label: 'Unbind', wanted: null, ...each }))];
}

function blockPart(id: string): SectionReference {
  return { kind: 'block', id };
}

/** The heading above a line; undefined above the first one. */
function titleAt(scan: NoteScan, context: NoteContext, line: number): string | undefined {
  return resolveSections(scan, context).sections.findLast(
    (section) => section.kind === 'heading' && section.line <= line,
  )?.title;
}

function blockIdAt({ blockIds }: NoteScan, line: number): string | undefined {
  return blockIds.find(
    (each) =>
      each.within === null &&
      each.names !== 'heading' &&
      each.blockLine > 0 &&
      each.blockLine <= line &&
      line <= each.line,
  )?.id;
}
