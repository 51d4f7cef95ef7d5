import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Options {
  /** The repository. */
  readonly root: string;
  /** The declaration that is published, such as `packages/wire/.types/index.d.ts`. */
  readonly entry: string;
  /** Where the copies go. */
  readonly to: string;
  /** The declaration that an import of a package of ours stands for. */
  readonly ours: (specifier: string) => string | undefined;
}

/**
 * Copies a declaration and all that it refers to, also in other packages of this repository, and lets the copies refer to each
 * other. Returns the entry's copy and what the copies import from outside.
 */
export function copyDeclarations({ root, entry, to, ours }: Options) {
  const externals = new Set<string>();
  const copied = new Set<string>();
  copy(entry);
  return { entry: copyOf(entry), externals: [...externals].sort() };

  function copy(path: string): void {
    if (copied.has(path)) return;
    copied.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    const rewritten = text.replace(
      /(\bfrom |\bimport |\bimport\()(['"])([^'"]+)\2/g,
      (_, before: string, quote: string, specifier: string) =>
        `${before}${quote}${resolve(path, specifier)}${quote}`,
    );
    const target = join(to, copyOf(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, rewritten.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  }

  function resolve(from: string, specifier: string): string {
    const target = specifier.startsWith('.')
      ? join(dirname(from), specifier.replace(/\.ts$/, '.d.ts'))
      : ours(specifier);
    if (target === undefined) {
      externals.add(specifier);
      return specifier;
    }
    copy(target);
    const path = relative(dirname(copyOf(from)), copyOf(target)).replace(/\.d\.ts$/, '.js');
    return path.startsWith('.') ? path : `./${path}`;
  }
}

/** `packages/wire/.types/src/node/index.d.ts` becomes `wire/node/index.d.ts`. */
function copyOf(path: string): string {
  return path.replace(/^packages\//, '').replace(/\/\.types\/(?:src\/)?/, '/');
}
