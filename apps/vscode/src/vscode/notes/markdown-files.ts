import type { DocumentFilter } from 'vscode';

/** The documents that notes are. */
export const markdownFiles: DocumentFilter = { language: 'markdown', scheme: 'file' };
