import { renderText } from '../definitions/render-text.ts';

/** Renders the parameters of an action, and collects what is wrong with them. */
export interface Renderer {
  readonly problems: string[];
  /** The value of a template; undefined when there is none, or it cannot be rendered. */
  value(name: string, template: string | undefined): unknown;
  /** The same as text; empty for a field that the event lacks. */
  text(name: string, template: string): string;
}

/** A renderer over the fields of an event. */
export function openRenderer(fields: Readonly<Record<string, unknown>>): Renderer {
  const problems: string[] = [];
  const value: Renderer['value'] = (name, template) => {
    if (template === undefined) return undefined;
    const rendered = renderText(template, fields);
    if (!('problem' in rendered)) return rendered.value;
    problems.push(`"${name}": ${rendered.problem}`);
    return undefined;
  };
  return { problems, value, text: (name, template) => asText(value(name, template)) };
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
