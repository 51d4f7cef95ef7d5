import { PlainText } from '../parts/content/plain-text.tsx';
import './last-output.css';

/** What a server wrote to standard error before it went. */
export function LastOutput({ text }: { readonly text: string }) {
  return (
    <figure class="last-output">
      <figcaption class="small soft">Last output</figcaption>
      <PlainText text={text} />
    </figure>
  );
}
