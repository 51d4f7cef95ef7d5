import { expect, test } from 'vitest';
import { planRelease } from './plan-release.ts';

const files = new Map([
  [
    'apps/cli/package.json',
    '{ "version": "0.1.0", "dependencies": { "@errand/vault": "0.1.0", "zod": "0.1.0" } }',
  ],
  ['apps/obsidian/manifest.json', '{ "version": "0.1.0", "minAppVersion": "1.11.4" }'],
  ['apps/obsidian/versions.json', '{ "0.1.0": "1.10.0" }'],
  ['CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n'],
  [
    'package-lock.json',
    '  "version": "0.1.0",\n    "": {\n      "version": "0.1.0"\n    },\n    "apps/cli": {\n      "version": "0.1.0",\n      "dependencies": {\n        "@errand/vault": "0.1.0"\n      }\n    },\n    "node_modules/other": {\n      "version": "0.1.0"\n    }\n',
  ],
]);
const plan = (version: string, changed = files) =>
  new Map(
    planRelease({ version, date: '2026-11-18', files: changed }).map(({ path, text }) => [
      path,
      text,
    ]),
  );

test('gives everything of ours one version, and nothing else', () => {
  const planned = plan('0.2.0');
  expect(planned.get('apps/cli/package.json')).toBe(
    '{ "version": "0.2.0", "dependencies": { "@errand/vault": "0.2.0", "zod": "0.1.0" } }',
  );
  expect(planned.get('apps/obsidian/manifest.json')).toContain('"version": "0.2.0"');
  expect(JSON.parse(planned.get('apps/obsidian/versions.json') ?? '')).toEqual({
    '0.1.0': '1.10.0',
    '0.2.0': '1.11.4',
  });
  const lock = planned.get('package-lock.json') ?? '';
  expect(lock).toMatch(/^ {2}"version": "0\.2\.0"/);
  expect(lock).toContain('"": {\n      "version": "0.2.0"');
  expect(lock).toContain('"apps/cli": {\n      "version": "0.2.0"');
  expect(lock).toContain('"@errand/vault": "0.2.0"');
  expect(lock).toContain('"node_modules/other": {\n      "version": "0.1.0"');
});

test("puts the changelog's entries under the version and its date", () => {
  expect(plan('0.2.0').get('CHANGELOG.md')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-18)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n',
  );
});

test.each([
  ['1.0', /is no version/],
  ['0.1.0', /does not come after 0\.1\.0/],
  ['0.0.9', /does not come after/],
])('refuses the version %s', (version, reason) => {
  expect(() => plan(version)).toThrow(reason);
});

test('refuses a release without anything new', () => {
  const empty = new Map(files).set(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- Old.\n',
  );
  expect(() => plan('0.2.0', empty)).toThrow(/nothing under "Unreleased"/);
});

test('a version of two digits comes after one of one', () => {
  expect(() => plan('0.10.0')).not.toThrow();
});
