import { findTemplateMistake, renderTemplate } from '@errand/document';
import { commonFields } from './context-fields.ts';

/** What a template stands for, or what is wrong with it. */
export type RenderedText = { readonly value: unknown } | { readonly problem: string };

/** The value of a template over the context fields; one that is a single expression keeps its type. */
export function renderText(
  template: string,
  fields: Readonly<Record<string, unknown>>,
): RenderedText {
  const problem = findTemplateMistake(template);
  if (problem !== undefined) return { problem };
  const rendered = renderTemplate(template, fields, commonFields);
  return rendered.kind === 'value' ? { value: rendered.value } : { problem: rendered.message };
}
