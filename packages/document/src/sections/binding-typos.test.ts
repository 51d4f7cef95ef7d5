import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { typosOf } from '../testing/typos.ts';
import { resolveSections } from './resolve-sections.ts';

const context = contextOf(['weather', 'db']);
const request = '```weather\ntool: t\n```\n';
const body = `${request}\n# Secret\n${request}^own\n\n## Deeper\n${request}\n# Free\n${request}`;

/** How many of the requests may call the server they name, and how many parts of the note are bound by a binding of their own. */
function read(text: string) {
  const note = scan(text);
  const { sections, problems, decide } = resolveSections(note, context);
  const requests = note.fences.filter(({ info }) => info === 'weather');
  const own = sections.filter(({ kind, decision }) => {
    if (decision.kind !== 'bound' || decision.inheritedFrom !== null) return false;
    return kind === 'note' || decision.binding.target.kind === kind;
  });
  return {
    free: requests.filter(({ line }) => {
      const decision = decide(line);
      return (
        decision.kind === 'unbound' || (decision.kind === 'bound' && decision.server === 'weather')
      );
    }).length,
    isReported: problems.length > 0,
    own: own.length,
  };
}

/** The typos in the frontmatter after which more may be called than before, and nobody is told. */
function silentTypos(frontmatter: string) {
  const text = frontmatter + body;
  const before = read(text);
  let reported = 0;
  const silent: string[] = [];
  for (const typo of typosOf(text, 0, frontmatter.length)) {
    const after = read(typo.text);
    if (after.free <= before.free) continue;
    if (after.isReported) reported += 1;
    // The same bindings as before, of which one now means another part that the note has.
    else if (after.own < before.own)
      silent.push(`${typo.name}: ${JSON.stringify(typo.text.slice(0, frontmatter.length + 1))}`);
  }
  return { before, reported, silent };
}

test.each([
  ['---\nmcp:\n  server: db\n---\n', 0],
  ['---\nmcp: {server: db}\n---\n', 0],
  ['---\n{mcp: {server: db}}\n---\n', 0],
  ['---\ntags:\nmcp:\n  server: db\ntitle: x\n---\n', 0],
  ['---\nabout: |\nmcp:\n  server: db\n---\n', 0],
  ['---\nmcp:\n  sections:\n    - heading: "# Secret"\n      server: db\n---\n', 2],
  ['---\nmcp:\n  sections:\n  - heading: Secret\n    inherit: true\n    server: db\n---\n', 2],
  ['---\nmcp: {sections: [{heading: Secret, server: db}]}\n---\n', 2],
  ['---\nmcp:\n  sections:\n    - block: own\n      server: db\n---\n', 3],
  ['---\nmcp:\n  sections:\n    - lines: [14, 99]\n      server: db\n---\n', 2],
  [
    '---\nmcp:\n  server: db\n  sections:\n    - {heading: Free, server: weather}\n    - {heading: Deeper, server: db}\n---\n',
    1,
  ],
])('no typo frees a section silently: %j', (frontmatter, free) => {
  const { before, silent } = silentTypos(frontmatter);
  expect(before.free).toBe(free);
  expect(before.isReported).toBe(false);
  expect(silent).toEqual([]);
});
