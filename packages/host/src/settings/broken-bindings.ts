import { type BindingTarget, type BrokenBinding, isTypo } from '@errand/document';
import { isRecord } from '@errand/wire';

/**
 * The target of an unusable binding, as far as it can be determined: the section if exactly one is
 * named, and the notes if they are named. Anything else is interpreted as widely as possible.
 */
export function brokenBinding(
  raw: unknown,
  message: string,
  server: string | undefined,
): BrokenBinding {
  const path = isRecord(raw) ? raw.documentPath : undefined;
  const documentPath = typeof path === 'string' && path !== '' ? path : null;
  return {
    message,
    server: server ?? null,
    target: isRecord(raw) ? targetOf(raw, documentPath) : null,
    documentPath,
  };
}

/** The bindings of a value that should have been a list of them. */
export function bindingsIn(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}

/** Whether an unknown key was meant to be `sectionBindings`, by its name or by its value. */
export function isMeantAsBindings(key: string, value: unknown): boolean {
  if (isTypo(key.trim(), 'sectionBindings')) return true;
  return bindingsIn(value).some(
    (item) => isRecord(item) && sectionKeys.some((known) => Object.hasOwn(item, known)),
  );
}

const sectionKeys = ['sectionType', 'headingText', 'blockId'];

function targetOf(
  raw: Readonly<Record<string, unknown>>,
  documentPath: string | null,
): BindingTarget | null {
  const { headingText, blockId, startLine, endLine } = raw;
  const given = [headingText, blockId, startLine ?? endLine].filter((value) => value !== undefined);
  if (given.length !== 1) return null;
  if (typeof headingText === 'string' && headingText.trim() !== '') {
    return { kind: 'heading', text: headingText };
  }
  if (typeof blockId === 'string' && blockId !== '') {
    return { kind: 'block', id: blockId.replace(/^\^/, '') };
  }
  const isRange = isLine(startLine) && isLine(endLine) && startLine < endLine;
  return isRange && documentPath !== null
    ? { kind: 'lines', first: startLine, last: endLine }
    : null;
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
