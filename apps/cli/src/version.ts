import manifest from '../package.json' with { type: 'json' };

/** The version of Errand, as `errand --version` prints it. */
export const version: string = manifest.version;
