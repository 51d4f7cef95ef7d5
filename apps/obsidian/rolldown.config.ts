import type { RolldownOptions } from 'rolldown';
import { editorBundle } from '../../tools/bundling/editor-bundle.ts';

/** What Electron 28 lacks, the oldest on which Obsidian 1.11.4 runs. */
const tooNew =
  /\bURL\.parse\(|\bcrypto\w*\.hash\(|\b(?:Array\.fromAsync|Promise\.try|RegExp\.escape|Iterator\.from)\(|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|find|flatMap|take|drop|reduce|forEach)\(/;

const shared = editorBundle({
  home: import.meta.dirname,
  external: ['obsidian', 'electron', /^@codemirror\//, /^@lezer\//],
  mostBytes: 1_500_000,
  files: {
    'manifest.json': 'manifest.json',
    'styles.css': 'styles.css',
    LICENSE: '../../LICENSE',
  },
  refuse(code) {
    if (/(?<![\w$.])import\(/.test(code)) {
      return "loads a module by import(), which the app's renderer cannot do";
    }
    const newer = tooNew.exec(code)?.[0];
    return newer && `uses ${newer}, which the oldest engine of the app lacks`;
  },
});

/** The plugin as Obsidian loads it; the editor's modules are those of Obsidian. */
const bundle: RolldownOptions = {
  ...shared,
  transform: {
    ...shared.transform,
    // Those of the window are late by a minute while it is minimised; what draws uses `window` by name.
    inject: {
      setTimeout: ['node:timers', 'setTimeout'],
      clearTimeout: ['node:timers', 'clearTimeout'],
      setInterval: ['node:timers', 'setInterval'],
      clearInterval: ['node:timers', 'clearInterval'],
    },
  },
};

export default bundle;
