import { editorBundle } from '../../tools/bundling/editor-bundle.ts';

/** The extension as VS Code loads it, in the folder that its package is made of. */
export default editorBundle({
  home: import.meta.dirname,
  external: ['vscode'],
  mostBytes: 1_500_000,
  isSplit: true,
  files: {
    'package.json': 'manifest.json',
    'icon.svg': 'icon.svg',
    'preview.css': 'media/preview.css',
    'example.md': 'media/example.md',
    'walkthrough/block.svg': 'media/walkthrough/block.svg',
    'walkthrough/run.svg': 'media/walkthrough/run.svg',
    'walkthrough/hook.svg': 'media/walkthrough/hook.svg',
    LICENSE: '../../LICENSE',
  },
  refuse: () => undefined,
});
