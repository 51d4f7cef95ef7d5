import { entriesOf, entryCount, openLevels } from '@errand/document/display';

const atOnce = 100;

/** Adds JSON to look into. What is folded is built when it is opened, so that a large answer costs nothing. */
export function addJsonTree(parent: HTMLElement, value: unknown): void {
  const tree = parent.createDiv({ cls: 'errand-json' });
  addValue(tree, undefined, value, openLevels(value));
}

function addValue(
  parent: HTMLElement,
  name: string | undefined,
  value: unknown,
  openDepth: number,
): void {
  const entries = entriesOf(value) ?? [];
  if (entries.length > 0) {
    addBranch(parent, name, value, openDepth);
    return;
  }
  const leaf = parent.createDiv({ cls: 'errand-json-leaf' });
  addName(leaf, name);
  const kind = value === null ? 'null' : typeof value;
  leaf.createSpan({ cls: `errand-json-${kind}`, text: JSON.stringify(value) });
}

function addBranch(
  parent: HTMLElement,
  name: string | undefined,
  value: unknown,
  openDepth: number,
): void {
  const details = parent.createEl('details');
  const summary = details.createEl('summary');
  addName(summary, name);
  summary.createSpan({ cls: 'errand-json-count', text: entryCount(value) });
  const build = () => {
    if (details.childElementCount > 1) return;
    addEntries(details, entriesOf(value) ?? [], openDepth - 1);
  };
  details.addEventListener('toggle', build);
  if (openDepth <= 0) return;
  details.open = true;
  build();
}

/** A long list is shown in steps. */
function addEntries(
  parent: HTMLElement,
  entries: readonly (readonly [string, unknown])[],
  openDepth: number,
  from = 0,
  to = atOnce,
): void {
  for (const [name, value] of entries.slice(from, to)) addValue(parent, name, value, openDepth);
  const left = entries.length - to;
  if (left <= 0) return;
  const more = parent.createEl('button', { text: `Show more (${left} left)` });
  more.addEventListener('click', () => {
    const { previousElementSibling: last } = more;
    more.remove();
    addEntries(parent, entries, openDepth, to, to * 10);
    // Focus goes on where the list did.
    const next = last?.nextElementSibling?.querySelector<HTMLElement>('summary');
    (next ?? parent.querySelector<HTMLElement>(':scope > button'))?.focus();
  });
}

function addName(parent: HTMLElement, name: string | undefined): void {
  if (name !== undefined) parent.createSpan({ cls: 'errand-json-name', text: `${name}: ` });
}
