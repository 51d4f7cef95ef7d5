import { parseAst } from 'rolldown/parseAst';

interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The titles of the tests of a file that run and can fail: neither skipped, focused or commented out, nor empty,
 * and with an assertion about something that is not a constant.
 */
export function runningTitles(source: string): ReadonlySet<string> {
  const program = parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode;
  const helpers = assertingFunctions(program);
  const titles = new Set<string>();
  let isFocused = false;
  const visit = (node: SyntaxNode) => {
    const call = testCall(node, source);
    isFocused ||= call?.words.includes('only') === true;
    if (call?.root === 'describe' && call.isLeftOut) return;
    if (call !== undefined && !call.isLeftOut && canFail(call.body, helpers))
      titles.add(call.title);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  // One focused test says nothing about which of the others run.
  return isFocused ? new Set() : titles;
}

interface TestCall {
  readonly root: string;
  readonly title: string;
  /** Modifiers and options: `test.only(…)`, `test(…, { skip: true }, …)`. */
  readonly words: readonly string[];
  readonly isLeftOut: boolean;
  readonly body: SyntaxNode | undefined;
}

/** `test(title, body)`, `describe.skip(…)`, `test.each(cases)(…)`: what is called, with which modifiers. */
function testCall(node: SyntaxNode, source: string): TestCall | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const [first, ...rest] = node.arguments as SyntaxNode[];
  const title = first === undefined ? undefined : titleText(first, source);
  if (title === undefined) return undefined;
  const words: string[] = [];
  const tables: SyntaxNode[] = [];
  let callee = node.callee as SyntaxNode;
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression') {
    if (callee.type === 'CallExpression') tables.push(...(callee.arguments as SyntaxNode[]));
    else words.push(String((callee.property as SyntaxNode).name));
    callee = (callee.callee ?? callee.object) as SyntaxNode;
  }
  const root = String(callee.name);
  if (!['test', 'it', 'describe'].includes(root)) return undefined;
  const options = rest.filter(({ type }) => type === 'ObjectExpression');
  for (const { key } of options.flatMap(({ properties }) => properties as SyntaxNode[])) {
    words.push(String((key as SyntaxNode | undefined)?.name));
  }
  const isLeftOut =
    ['skip', 'todo', 'fails'].some((word) => words.includes(word)) || tables.some(isEmptyOrFixed);
  const body = rest.find(({ type }) => type.endsWith('FunctionExpression')) ?? rest.at(-1);
  return { root, title, words, isLeftOut, body };
}

/** A table without cases, or a condition that is written out: `test.each([])`, `test.skipIf(true)`. */
function isEmptyOrFixed({ type, elements }: SyntaxNode): boolean {
  return type === 'Literal' || (type === 'ArrayExpression' && (elements as unknown[]).length === 0);
}

/** Whether a test asserts something of a value that is not a constant, before it gives up. */
function canFail(body: SyntaxNode | undefined, helpers: ReadonlySet<string>): boolean {
  if (body === undefined) return false;
  if (body.type === 'Identifier') return helpers.has(String(body.name));
  if (!body.type.endsWith('FunctionExpression')) return false;
  const block = body.body as SyntaxNode;
  const statements = block.type === 'BlockStatement' ? (block.body as SyntaxNode[]) : [block];
  const end = statements.findIndex(
    ({ type, expression }) => type === 'ReturnStatement' || isSkip(expression),
  );
  const reached = end === -1 ? statements : statements.slice(0, end + 1);
  return reached.some((statement) => asserts(statement, helpers));
}

/** The functions of a file that make assertions, also by calling another one that does. */
function assertingFunctions(program: SyntaxNode): ReadonlySet<string> {
  const declared = (program.body as SyntaxNode[]).filter(
    ({ type }) => type === 'FunctionDeclaration',
  );
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const each of declared) {
      if (asserts(each, found)) found.add(String((each.id as SyntaxNode).name));
    }
  }
  return found;
}

function isSkip(expression: unknown): boolean {
  const { type, callee } = (expression ?? {}) as { type?: string; callee?: SyntaxNode };
  if (type !== 'CallExpression' || callee === undefined) return false;
  return (callee.name ?? (callee.property as SyntaxNode | undefined)?.name) === 'skip';
}

/** Whether a matcher is called on something that can differ, a browser is waited for, or a helper asserts. */
function asserts(node: SyntaxNode, helpers: ReadonlySet<string>): boolean {
  if (node.type === 'CallExpression') {
    const callee = node.callee as SyntaxNode;
    if (helpers.has(String(callee.name)) || isMatcher(callee)) return true;
    if ((callee.property as SyntaxNode | undefined)?.name === 'waitFor') return true;
  }
  return childrenOf(node).some((child) => asserts(child, helpers));
}

/** `expect(value).toBe`, `expect.poll(…).not.toBe`: `value` is no constant. */
function isMatcher({ type, object }: SyntaxNode): boolean {
  if (type !== 'MemberExpression') return false;
  const of = object as SyntaxNode;
  if (of.type === 'MemberExpression') return isMatcher(of);
  if (of.type !== 'CallExpression') return false;
  const callee = of.callee as SyntaxNode;
  const { name } = (callee.object ?? callee) as SyntaxNode;
  const [value] = of.arguments as SyntaxNode[];
  return name === 'expect' && value !== undefined && !isConstant(value);
}

const constants =
  /^(?:(?:Template)?Literal|TemplateElement|(?:Unary|Binary|Logical|Array|Object)Expression|Property)$/;

function isConstant(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return node.name === 'undefined';
  return constants.test(node.type) && childrenOf(node).every(isConstant);
}

/** The title as it stands in the file. */
function titleText({ type, value, start, end }: SyntaxNode, source: string): string | undefined {
  if (type === 'TemplateLiteral') return source.slice(Number(start) + 1, Number(end) - 1);
  return type === 'Literal' && typeof value === 'string' ? value : undefined;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === 'string');
}
