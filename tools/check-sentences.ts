import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/**
 * Libraries say what happened; how to act on it is advice, which each face renders. So no string of a library names
 * a command, an option or a button, and no code reads meaning out of the sentence of an error.
 */

/** Programs with a command line of their own, which their options belong to. */
const ownCommandLine = ['packages/server-kit/', 'packages/launcher/'];

/** Where the text of another program is read, because it says nothing but text. */
const foreignText: Readonly<Record<string, string>> = {
  'apps/cli/src/errand.ts': 'Commander puts "error: " before its messages',
  'packages/files/src/files-error.ts': 'Node puts the system call behind its messages',
  'packages/host/src/settings/foreign/parse-foreign-text.ts': 'the TOML parser quotes the file',
  'packages/jobs/src/postgres/database-failure.ts': 'pg has no code for a missing password',
  'packages/machine/src/docker/create-container.ts': 'Docker has no codes for these refusals',
  'packages/machine/src/docker/start-failure.ts': 'Docker has no codes for these refusals',
  'packages/machine/src/mcp/to-host-error.ts': 'MCP has one code for several failures',
  'packages/server-kit/src/command-line.ts': 'Node explains a wrong option with more than it needs',
};

const command = /\berrand [a-z]+/;
const option = /(?:^|\s)--[a-z][a-z-]+/;
const button = /\b(?:press|click|tap) |\bthe [\w“” ]*button\b/i;

const readers: ReadonlySet<string> = new Set([
  'endsWith',
  'exec',
  'includes',
  'indexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
  'startsWith',
  'test',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const found: string[] = [];
for (const path of globSync('{packages,apps}/*/src/**/*.{ts,tsx}', {
  exclude: (name) => ['node_modules', 'testing'].includes(name),
})) {
  if (/\.test\.tsx?$/.test(path)) continue;
  const code = readFileSync(path, 'utf8');
  const isLibrary =
    path.startsWith('packages/') && !ownCommandLine.some((own) => path.startsWith(own));
  const at = (node: Node) => `${path}:${code.slice(0, node.start).split('\n').length}`;
  visit(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, (node) => {
    const text = isLibrary ? textOf(node) : undefined;
    // A word by itself is an argument for another program, not a sentence.
    if (text?.includes(' ')) {
      for (const [what, pattern] of Object.entries({ command, option, button })) {
        const named = pattern.exec(text)?.[0];
        if (named !== undefined)
          found.push(`${at(node)}: a library names the ${what} "${named.trim()}".`);
      }
    }
    if (!(path in foreignText) && readsMessage(node)) {
      found.push(`${at(node)}: reads meaning out of a message. Branch on its code and facts.`);
    }
  });
}
for (const line of found) console.log(line);
process.exitCode = found.length > 0 ? 1 : 0;

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, look);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The text that a literal, or a piece of a template, stands for. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateElement') return undefined;
  return (node.value as { readonly cooked?: string | null }).cooked ?? undefined;
}

/** `error.message.replace(…)`, `/…/.test(message)`, and the like. */
function readsMessage({ type, callee, arguments: given }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression')
    return false;
  const { object, property } = callee;
  if (!isNode(property) || !readers.has(String(property.name))) return false;
  const isPattern = property.name === 'test' || property.name === 'exec';
  const subject = isPattern && Array.isArray(given) ? given[0] : object;
  return isNode(subject) && isMessage(subject);
}

function isMessage(node: Node): boolean {
  if (node.type === 'ChainExpression') return isNode(node.expression) && isMessage(node.expression);
  if (node.type === 'Identifier') return node.name === 'message';
  const { property } = node;
  return node.type === 'MemberExpression' && isNode(property) && property.name === 'message';
}
