import type { VariableSyntax } from './foreign-programs.ts';

/** What the references of another program's file stand for here. */
interface VariableContext {
  readonly syntax: VariableSyntax;
  /** As Node names it: decides the variable that holds the home folder, and the separator. */
  readonly os: string;
  /** What `${workspaceFolder}` means, as it is to be written here. */
  readonly workspaceFolder: string;
  /** Variables that the entry sets for its own server. */
  readonly ownVariables: readonly string[];
  /** The secret that takes the place of a question asked by the other program. */
  secretFor(inputId: string): string;
  note(text: string): void;
}

/** A text with the references of another program replaced by ours; what has no counterpart is noted. */
export function mapVariables(text: string, context: VariableContext): string {
  const { syntax } = context;
  if (syntax === 'none') return text;
  const pattern = syntax === 'dollars' ? /\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/g : /\$\{([^{}]*)\}/g;
  return text.replace(pattern, (reference, inBraces?: string, bare?: string) => {
    const mapped = mapReference(inBraces ?? bare ?? '', context);
    if (mapped !== undefined) return mapped;
    context.note(
      `${reference} has no equivalent here and was left as it is. Replace it with a value.`,
    );
    return reference;
  });
}

function mapReference(inside: string, context: VariableContext): string | undefined {
  const { syntax } = context;
  const isEditor = syntax === 'editor' || syntax === 'both';
  return (
    (isEditor ? mapEditorReference(inside, context) : undefined) ??
    (syntax === 'editor' ? undefined : mapShellReference(inside, context))
  );
}

function mapEditorReference(inside: string, context: VariableContext): string | undefined {
  const { os, workspaceFolder } = context;
  const [, kind, name] = /^(env|input):(.+)$/.exec(inside) ?? [];
  if (kind === 'env') return `\${env:${name}}`;
  if (kind === 'input' && name !== undefined) return `\${secret:${context.secretFor(name)}}`;
  if (/^workspaceFolder(:.*)?$/.test(inside)) return workspaceFolder;
  switch (inside) {
    case 'userHome':
      return os === 'win32' ? `\${env:USERPROFILE}` : `\${env:HOME}`;
    case 'pathSeparator':
    case '/':
      return os === 'win32' ? '\\' : '/';
    default:
      return undefined;
  }
}

function mapShellReference(inside: string, context: VariableContext): string | undefined {
  const [, name, fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? [];
  if (name === undefined) return undefined;
  // Some servers replace such a reference themselves, by the variables they are given.
  if (context.ownVariables.includes(name)) return `\${${inside}}`;
  if (fallback !== undefined) {
    context.note(
      `The default for ${name} there was "${fallback}", which is not imported. Set ${name}, or write that value in its place.`,
    );
  }
  return `\${env:${name}}`;
}
