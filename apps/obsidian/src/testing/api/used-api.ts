import { join } from 'node:path';
import {
  type BindingElement,
  type Identifier,
  type Node,
  type ObjectLiteralExpression,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Symbol as Meaning,
  type Program,
  SymbolFlags,
} from 'typescript/unstable/sync';

/** Something of Obsidian's API, and where the plugin uses it. */
export interface UsedApi {
  /** `Class.member`, or the name of what is exported. */
  readonly name: string;
  /** The version of Obsidian that brought it; nothing when that was never written down. */
  readonly since: string | undefined;
  readonly files: readonly string[];
}

/** Everything of Obsidian's published types that some files of a project name, read by the compiler. */
export function usedApi(config: string, isWanted: (file: string) => boolean): readonly UsedApi[] {
  const api = new API({ cwd: join(config, '..') });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error(`${config} is no project.`);
    const { program, checker } = project;
    const found = new Map<string, UsedApi>();
    for (const file of program.getSourceFileNames().filter(isWanted)) {
      for (const declaration of publishedIn(file, program, checker)) {
        const name = nameOf(declaration);
        const files = found.get(name)?.files ?? [];
        found.set(name, {
          name,
          since: sinceOf(declaration),
          files: [...new Set([...files, file])],
        });
      }
    }
    return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  } finally {
    api.close();
  }
}

const published = /\/obsidian\/obsidian\.d\.ts$/;

/** The published declarations that the names in a file stand for. */
function publishedIn(file: string, program: Program, checker: Checker): readonly Node[] {
  const names: Identifier[] = [];
  const collect = (node: Node): undefined => {
    if (node.kind === SyntaxKind.Identifier) names.push(node as Identifier);
    node.forEachChild(collect);
  };
  const source = program.getSourceFile(file);
  if (source !== undefined) collect(source);
  const meanings = checker.getSymbolAtLocation(names);
  return names.flatMap((name, index) =>
    [meanings[index], memberNamedBy(name, checker)].flatMap((meaning) =>
      meaning === undefined ? [] : declarationsOf(meaning, name, checker),
    ),
  );
}

/** A name may stand for a member without being an access: in a pattern, an object or a class that overrides it. */
function memberNamedBy(name: Identifier, checker: Checker): Meaning | undefined {
  const { parent } = name;
  const owner = ownerOf(parent, name, checker);
  return owner && checker.getPropertyOfType(owner, name.text);
}

function ownerOf(parent: Node, name: Identifier, checker: Checker) {
  switch (parent.kind) {
    case SyntaxKind.BindingElement: {
      const { propertyName, name: bound } = parent as BindingElement;
      return (propertyName ?? bound) === name
        ? checker.getTypeAtLocation(parent.parent)
        : undefined;
    }
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
      return checker.getContextualType(parent.parent as ObjectLiteralExpression);
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.PropertyDeclaration:
      return parent.parent.kind === SyntaxKind.ObjectLiteralExpression
        ? checker.getContextualType(parent.parent as ObjectLiteralExpression)
        : baseOf(parent.parent, checker);
    default:
      return undefined;
  }
}

function baseOf(owner: Node, checker: Checker) {
  const type = checker.getTypeAtLocation(owner);
  return type?.isClassOrInterface() ? type.getBaseTypes()?.[0] : undefined;
}

/** Only Obsidian's: a name that the language has too works in every version. */
function declarationsOf(meaning: Meaning, name: Identifier, checker: Checker): readonly Node[] {
  const real = meaning.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(meaning) : meaning;
  if (real.declarations.length === 0) return [];
  if (!real.declarations.every(({ path }) => published.test(path))) return [];
  const called = real.declarations.length > 1 ? calledOverload(name, checker) : undefined;
  return (called === undefined ? real.declarations : [called]).flatMap(
    (each) => each.resolve() ?? [],
  );
}

/** Of several declarations of a function, the one that a call means. */
function calledOverload({ parent }: Identifier, checker: Checker) {
  return parent.parent.kind === SyntaxKind.CallExpression
    ? checker.getResolvedSignature(parent.parent)?.declaration
    : undefined;
}

interface Named extends Node {
  readonly name?: { getText(): string };
}

/** With its first parameter when that is one fixed word, as for the events of `on`. */
function nameOf(declaration: Named): string {
  const own = declaration.name?.getText() ?? 'constructor';
  const [, word] = /^[^(]*\(\s*name: '([^']+)'/.exec(declaration.getText()) ?? [];
  const full = word === undefined ? own : `${own}('${word}')`;
  const owner: Named = declaration.parent;
  return owner.name === undefined ? full : `${owner.name.getText()}.${full}`;
}

/** A member is as old as it says, or else as what it belongs to. */
function sinceOf(declaration: Node): string | undefined {
  const comment = declaration.getFullText().slice(0, -declaration.getText().length);
  const own = /@since (\S+)/.exec(comment)?.[1];
  const isMember = declaration.parent.kind !== SyntaxKind.SourceFile;
  return own ?? (isMember ? sinceOf(declaration.parent) : undefined);
}
