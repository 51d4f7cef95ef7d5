/** A file that a release changes, with its new text. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
}

interface ReleaseInput {
  readonly version: string;
  /** As `2026-11-18`. */
  readonly date: string;
  /** The texts of all manifests, the lock file, the plugin's two files and the changelog, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a release changes: one version for everything, and the changelog's entries under its heading. Throws what a person did wrong. */
export function planRelease({ version, date, files }: ReleaseInput): readonly FileChange[] {
  const current = String(JSON.parse(textOf(files, 'apps/cli/package.json')).version);
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`"${version}" is no version. Write three numbers, such as 1.2.0.`);
  }
  if (compare(version, current) <= 0) {
    throw new Error(`Version ${version} does not come after ${current}.`);
  }
  return [...files]
    .map(([path, text]) => ({ path, text: change(path, text) }))
    .filter(({ path, text }) => text !== files.get(path));

  function change(path: string, text: string): string {
    if (path === 'CHANGELOG.md') return releaseChangelog(text, version, date);
    if (path.endsWith('versions.json')) return addPluginVersion(text, version, files);
    return replaceVersions(text, current, version, path);
  }
}

/** Our own packages are pinned to each other, and nothing else is ours. */
function replaceVersions(text: string, current: string, version: string, path: string): string {
  const quoted = current.replaceAll('.', '\\.');
  const ours = text.replace(new RegExp(`("@errand/[\\w-]+": )"${quoted}"`, 'g'), `$1"${version}"`);
  const own = new RegExp(`("version": )"${quoted}"`);
  if (path !== 'package-lock.json') return ours.replace(own, `$1"${version}"`);
  // In the lock file our packages are its head, its root, and the entries below folders of this repository.
  return ours
    .replace(new RegExp(`^( {2}"version": )"${quoted}"`, 'm'), `$1"${version}"`)
    .replace(
      /^ {4}"(?:(?:apps|packages|servers)\/[\w-]+)?": \{\n(?: {6}.*\n)+? {4}\},?$/gm,
      (entry) => entry.replace(own, `$1"${version}"`),
    );
}

function releaseChangelog(text: string, version: string, date: string): string {
  const [, entries = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  if (entries.trim() === '') {
    throw new Error('CHANGELOG.md has nothing under "Unreleased": say what is new first.');
  }
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${date})\n`);
}

/** Obsidian finds there which version of the app a version of the plugin needs. */
function addPluginVersion(text: string, version: string, files: ReleaseInput['files']): string {
  const { minAppVersion } = JSON.parse(textOf(files, 'apps/obsidian/manifest.json'));
  const versions = { ...JSON.parse(text), [version]: minAppVersion };
  return `${JSON.stringify(versions, undefined, 2)}\n`;
}

function textOf(files: ReleaseInput['files'], path: string): string {
  const text = files.get(path);
  if (text === undefined) throw new Error(`${path} is missing.`);
  return text;
}

function compare(a: string, b: string): number {
  return new Intl.Collator('en', { numeric: true }).compare(a, b);
}
