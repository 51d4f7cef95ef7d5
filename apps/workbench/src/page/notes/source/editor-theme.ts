import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor theme, made of the page's colour variables. */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', fontSize: 'var(--text-small)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.6' },
    '.cm-content': { padding: 'var(--space-4) 0', caretColor: 'var(--ink)' },
    '.cm-line': { padding: '0 var(--space-4)' },
    '.cm-gutters': {
      paddingLeft: 'var(--space-2)',
      border: 'none',
      backgroundColor: 'transparent',
      color: 'var(--ink-soft)',
    },
    '.cm-activeLine': {
      backgroundColor: 'color-mix(in srgb, var(--hover) 45%, transparent)',
    },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
    '.cm-content ::selection, & ::selection': { backgroundColor: 'var(--accent-soft)' },
    '.cm-tooltip': {
      maxWidth: 'min(30rem, 90vw)',
      border: '1px solid var(--border)',
      borderRadius: 'var(--radius-small)',
      backgroundColor: 'var(--surface)',
      color: 'var(--ink)',
      boxShadow: 'var(--shadow-high)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--space-1) var(--space-2)' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--accent-soft)',
      color: 'var(--accent)',
    },
    '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal' },
    '.cm-completionInfo': { padding: 'var(--space-2)', fontFamily: 'var(--font)' },
    '.cm-diagnostic': { padding: 'var(--space-1) var(--space-2)', fontFamily: 'var(--font)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
    '.cm-lintRange-error': underline('var(--bad)'),
    '.cm-lintRange-warning': underline('var(--warn)'),
    '.cm-panels': {
      borderColor: 'var(--border)',
      backgroundColor: 'var(--sunken)',
      color: 'var(--ink)',
    },
    '.cm-textfield, .cm-button': {
      border: '1px solid var(--border-strong)',
      borderRadius: 'var(--radius-small)',
      backgroundColor: 'var(--surface)',
      backgroundImage: 'none',
      color: 'var(--ink)',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.heading, color: 'var(--ink)', fontWeight: '700' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, fontStyle: 'italic' },
      { tag: tags.strikethrough, textDecoration: 'line-through' },
      { tag: [tags.link, tags.url], color: 'var(--accent)' },
      { tag: [tags.monospace, tags.labelName], color: 'var(--good)' },
      { tag: [tags.quote, tags.comment, tags.meta], color: 'var(--ink-soft)' },
      { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-soft)' },
      { tag: [tags.tagName, tags.attributeName], color: 'var(--warn)' },
    ]),
  ),
];

function underline(color: string) {
  return {
    backgroundImage: 'none',
    textDecoration: `underline wavy ${color}`,
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  };
}
