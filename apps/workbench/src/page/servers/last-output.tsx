import { PlainText } from '../parts/content/plain-text.tsx';
import './last-output.css';

/** The last lines of a server's standard error. */
export function LastOutput({ text }: { readonly text: string }) {
  return (
    <figure class="last-output">
      <figcaption class="small soft">Last output</figcaption>
      <PlainText text={text} />
    </figure>
  );
}
