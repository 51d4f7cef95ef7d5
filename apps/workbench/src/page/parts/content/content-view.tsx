import type { CallContent } from '../../../contract.ts';
import './content-view.css';
import { JsonTree } from './json-tree.tsx';
import { PlainText } from './plain-text.tsx';

export interface ContentViewProps {
  readonly type: CallContent['type'];
  readonly text: string;
  /** Pictures: addresses of this page's own server, or `data:`. */
  readonly images?: readonly string[];
}

/** A tool's answer, shown by its type. */
export function ContentView({ type, text, images = [] }: ContentViewProps) {
  return (
    <div class="content-view">
      {images.map((source) => (
        <img key={source} src={source} alt="The tool's answer" loading="lazy" />
      ))}
      {text !== '' && <TextOf type={type} text={text} />}
    </div>
  );
}

/** Markdown stays source text. */
function TextOf({ type, text }: Pick<ContentViewProps, 'type' | 'text'>) {
  const value = type === 'json' ? parse(text) : undefined;
  return value === undefined ? <PlainText text={text} /> : <JsonTree value={value} />;
}

/** Undefined when it is not JSON, or too long for a tree. */
function parse(text: string): unknown {
  if (text.length > 2_200_000) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
