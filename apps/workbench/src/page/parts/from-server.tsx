import { foreignLines } from '@errand/host';
import type { ComponentChildren } from 'preact';
import './from-server.css';

export interface FromServerProps {
  readonly server: string;
  /** What the server does in it: `says`, `asks for`. */
  readonly does: string;
  /** Its words; whatever in them would hide or turn letters around is spelled out. */
  readonly text?: string;
  readonly children?: ComponentChildren;
}

/** Words of a server, set apart so that none of them pass for ours. */
export function FromServer({ server, does, text = '', children }: FromServerProps) {
  return (
    <figure class="from-server">
      <figcaption class="small soft">{`${server} ${does}:`}</figcaption>
      {text !== '' && <blockquote>{foreignLines(text).join('\n')}</blockquote>}
      {children}
    </figure>
  );
}
