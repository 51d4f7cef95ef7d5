import { globSync, readFileSync } from 'node:fs';

// A long file is a file with two ideas in it. Fixtures are data, not code.
const warnAt = 250;
const failAt = 400;

let failed = false;
for (const path of globSync('{packages,servers,apps,test,tools}/**/*.{ts,tsx,cjs,mjs}', {
  exclude: (name) => ['node_modules', 'dist', '.types', 'fixtures'].includes(name),
})) {
  const lines = readFileSync(path, 'utf8').split('\n').length - 1;
  if (lines < warnAt) continue;
  failed ||= lines >= failAt;
  console.log(
    lines >= failAt
      ? `${path}: ${lines} lines; ${failAt} is the limit. Split it by idea.`
      : `${path}: ${lines} lines; from ${warnAt} on, look for a second idea in it.`,
  );
}
process.exitCode = failed ? 1 : 0;
