import { PlainText } from '../parts/content/plain-text.tsx';
import './last-output.css';

/** What a server wrote to standard error before it went. */
export function LastOutput({ text }: { readonly text: string }) {
  return (
    <figure class="last-output">
      <figcaption class="small soft">Its last words</figcaption>
      <PlainText text={text} />
    </figure>
  );
}
