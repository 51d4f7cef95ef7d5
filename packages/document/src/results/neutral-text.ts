import { escapeControls } from '../display/escape-controls.ts';
import type { TextEdit } from '../edits.ts';
import { certainCode, spanFinder } from './certain-code.ts';
import { inlineFields } from './inline-fields.ts';
import type { Paragraphs } from './paragraphs-of.ts';

/**
 * Edits after which nothing in these lines acts. Where it is certain what is code, code stays and all else is
 * written so that it looks the same; else a space breaks what would act, however the lines are read.
 */
export function neutralText(
  text: string,
  { from, to }: Paragraphs,
  htmlStarts: ReadonlySet<number>,
): readonly TextEdit[] {
  const lines = text.slice(from, to);
  if (!/[<!\]%:\\&`=^]/.test(lines)) return [];
  const code = certainCode(lines);
  const isCode = spanFinder(code ?? []);
  const [less, bang] = code === null ? ['< ', '! '] : ['&lt;', '&#33;'];
  const edits: TextEdit[] = [];
  const replace = (at: number, length: number, by: string) =>
    edits.push({ range: [from + at, from + at + length], text: by });

  for (const { index, 0: found, groups = {} } of lines.matchAll(active)) {
    if (groups.template) replace(index + found.length, 0, ' ');
    else if (groups.comment) replace(index, 1, '%\\');
    else if (isCode(index)) continue;
    else if (groups.picture) replace(index, 1, bang);
    else if (groups.scheme) replace(index, 1, '\\:');
    else if (groups.command) replace(index, 1, '\\ ');
    else if (groups.link && leadsAstray(lines, index + 1)) replace(index, 1, '] ');
    else if (groups.entity && isHidden(found)) replace(index, 1, '&amp;');
    else if (groups.html && !(isLineBreak(lines, index) && !htmlStarts.has(from + index))) {
      replace(index, 1, less);
    }
  }
  for (const { index, 1: address = '' } of lines.matchAll(autolink)) {
    if (isCode(index)) continue;
    replace(index, 1, '');
    replace(index + 1 + address.length, 1, '');
  }
  for (const { index } of lines.matchAll(/!\[(?=\s*\]\()/g)) {
    // A picture without a name would become an invisible link.
    if (!isCode(index)) replace(index + 2, 0, 'picture');
  }
  const escaped = new Set<number>();
  for (const { at, length } of inlineFields(lines)) {
    if (isCode(at)) continue;
    for (let colon = at + 1; colon < at + length; colon++) {
      // The colon of a scheme is escaped above.
      if (!lines.startsWith('://', colon)) escaped.add(colon);
    }
  }
  for (const pattern of [query, indentedQuery, definition, blockId]) {
    for (const { index, 0: before } of lines.matchAll(pattern)) escaped.add(index + before.length);
  }
  for (const at of escaped) replace(at, 0, '\\');
  return edits;
}

const web = String.raw`https?:\/\/(?:[\w.:\/?#@&+,;=~-]|%(?!%))*[\w\/]`;

/** Commands that change the meaning of other formulas in the note. */
const defining = String.raw`[egx]?def|let|futurelet|global|(?:re)?new(?:command|environment)|providecommand|declare[a-z]+|definecolor|newtagform|renewtagform|usetagform|mathtoolsset`;

/** Everything that a program may act upon. */
const active = new RegExp(
  [
    // Also one that only rendering puts together.
    String.raw`(?<template>(?:<|&lt;|&#0*60;|&#x0*3c;)(?=\\?%|&percnt;|&#0*37;|&#x0*25;))`,
    '(?<comment>%(?=%))',
    String.raw`(?<html><(?!(?<![<\\]<)${web}>)(?=[a-z\/!?]))`,
    String.raw`(?<picture>!(?=\[))`,
    String.raw`(?<link>\](?=\())`,
    String.raw`(?<scheme>(?<!https?|\\):(?=\/\/))`,
    // What in a formula makes links, loads styles, builds the name of another command, or defines one for the note.
    String.raw`(?<command>\\(?=(?:href|style|class|cssid|require|csname|bbox|mmltoken|${defining})(?![a-z])))`,
    String.raw`(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,25});)`,
  ].join('|'),
  'gi',
);

const autolink = new RegExp(String.raw`(?<![<\\])<(${web})>`, 'gi');

/** Prefixes that make inline code a query. A line of only `=` underlines a heading. */
const query = /`(?:[^\S\n]*|[^\S\n]*\n[\s>]*(?!=+[^\S\n]*(?:\n|$)))(?=\$?=)/g;
const indentedQuery = /^[ >]*(?:(?:[-+*]|\d{1,9}[.)]) [ >]*)* {4}[^\S\n]*(?=\$?=)/gm;

/** What stands before `[name]: address` and `[^note]: text`, which hold for the whole note. */
export const definition =
  /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t][ \t>]*)*(?=\[(?:[^\]\\]|\\[\s\S]){1,1000}\]:)/gm;
const blockId = /(?:^|[ \t>])(?=\^[A-Za-z0-9-]+[ \t]*(?:#+[ \t]*)?$)/gm;

function isLineBreak(lines: string, at: number): boolean {
  return /^<br ?\/?>/i.test(lines.slice(at, at + 6));
}

/** Whether a link's address, in the parentheses at a place, is neither of the web, nor mail, nor in the vault. */
function leadsAstray(lines: string, at: number): boolean {
  destination.lastIndex = at;
  const [, pointed, bare = ''] = destination.exec(lines) ?? [];
  if (pointed !== undefined) return !pointedWeb.test(pointed);
  // Text that other edits may change counts too, so that the verdict is the same after them.
  if (/^(?:https?|mailto):/i.test(bare)) return false;
  return bare.length === 200 || /[:\\&`!<$=^[\]]|%%/.test(bare);
}

const destination = /\([\s>]*(?:(<[^\n]{0,2000})|([^\s/?#)]{0,200}))/y;
const pointedWeb = new RegExp(`^<${web}>`, 'i');

/** Whether an entity stands for a character that must be seen. */
function isHidden(entity: string): boolean {
  const [, hex, decimal, name = ''] = /^&(?:#x([\da-f]+)|#(\d+)|([a-z]+));$/i.exec(entity) ?? [];
  if (hex === undefined && decimal === undefined) return hiddenNames.has(name.toLowerCase());
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  return escapeControls(character) !== character;
}

const hiddenNames = new Set(
  (
    'lrm rlm zerowidthspace nobreak applyfunction af invisibletimes it invisiblecomma ic negativethinspace ' +
    'negativemediumspace negativethickspace negativeverythinspace'
  ).split(' '),
);
