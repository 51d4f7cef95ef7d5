import { type FencedResult, fenceFor, findFencedResults, scan } from '@errand/document';
import { entriesOf, entryCount, openLevels, resultParts } from '@errand/document/display';

/** The result that a fence of a note holds; nothing for a fence that is no result. */
export function readResult(info: string, content: string): FencedResult | undefined {
  const fence = fenceFor(content);
  return findFencedResults(scan(`${fence}${info}\n${content}${fence}\n`))[0];
}

/** A result as HTML. Whatever stands in it is text: nothing is run, fetched or linked but files of the vault. */
export function renderResult(
  result: FencedResult,
  showPicture: (address: string, path: string) => string | undefined,
): string {
  const { status, type, code, display, payload } = result;
  const { text, pictures, files } = resultParts(result);
  const value = type === 'json' ? parseJson(text) : undefined;
  const parts = [
    ...pictures.map((path) => showPicture(address(path), path) ?? ''),
    ...(value === undefined ? textParts(text) : [tree(value, openLevels(value))]),
    ...files.map(
      ({ label, path }) =>
        `<a href="${escapeHtml(address(path))}">${escapeHtml(`${label}: ${path}`)}</a>`,
    ),
  ];
  const content = parts.length > 0 ? parts.join('') : `<p>${escapeHtml(payload || nothing)}</p>`;
  const isError = status === 'error';
  const head = isError ? `<p class="errand-code">${escapeHtml(code ?? status)}</p>` : '';
  const body =
    display === 'collapsed' && !isError
      ? `<details><summary>Answer</summary>${content}</details>`
      : content;
  const name = isError ? 'Error' : 'Answer';
  return `<div class="errand-result" data-status="${status}" role="group" aria-label="${name}">${head}${body}</div>\n`;
}

const nothing = 'The tool returned nothing.';

function textParts(text: string): readonly string[] {
  return text === '' ? [] : [`<pre class="errand-text"><code>${escapeHtml(text)}</code></pre>`];
}

/** A value as a tree that can be folded, level by level. */
function tree(value: unknown, open: number): string {
  const entries = entriesOf(value);
  if (entries === undefined) {
    return `<span class="errand-value">${escapeHtml(JSON.stringify(value))}</span>`;
  }
  const rows = entries.map(
    ([name, inner]) =>
      `<li><span class="errand-name">${escapeHtml(name)}</span> ${tree(inner, open - 1)}</li>`,
  );
  const isOpen = open > 0 ? ' open' : '';
  return `<details${isOpen}><summary>${entryCount(value)}</summary><ul>${rows.join('')}</ul></details>`;
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The address of a file of the vault, from its root; never of anything else. */
function address(path: string): string {
  const parts = path.split('/').filter((part) => part !== '..' && part !== '');
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
