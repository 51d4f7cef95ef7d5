import { renderTemplate } from '@errand/document';

/** What a template stands for, or what is wrong with it. */
export type RenderedText = { readonly value: unknown } | { readonly problem: string };

/** The value of a template over the context fields; one that is a single expression keeps its type. */
export function renderText(
  template: string,
  fields: Readonly<Record<string, unknown>>,
): RenderedText {
  // Text with many openings and no end would be searched again from each of them.
  if (template.indexOf('{{', template.lastIndexOf('}}') + 1) !== -1) {
    return { problem: 'An expression begins with {{ and has no }}.' };
  }
  const rendered = renderTemplate(template, fields);
  return rendered.kind === 'value' ? { value: rendered.value } : { problem: rendered.message };
}
