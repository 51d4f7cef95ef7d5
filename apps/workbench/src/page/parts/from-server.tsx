import { foreignLines } from '@errand/host';
import type { ComponentChildren } from 'preact';
import './from-server.css';

export interface FromServerProps {
  readonly server: string;
  /** What the server does in it: `says`, `asks for`. */
  readonly does: string;
  /** Text of the server; invisible and direction-changing characters are escaped. */
  readonly text?: string;
  readonly children?: ComponentChildren;
}

/** Text of a server, set apart so that it cannot pass as the page's own. */
export function FromServer({ server, does, text = '', children }: FromServerProps) {
  return (
    <figure class="from-server">
      <figcaption class="small soft">{`${server} ${does}:`}</figcaption>
      {text !== '' && <blockquote>{foreignLines(text).join('\n')}</blockquote>}
      {children}
    </figure>
  );
}
