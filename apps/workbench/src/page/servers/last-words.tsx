import { PlainText } from '../parts/content/plain-text.tsx';
import './last-words.css';

/** What a server wrote to standard error before it went. */
export function LastWords({ text }: { readonly text: string }) {
  return (
    <figure class="last-words">
      <figcaption class="small soft">Its last words</figcaption>
      <PlainText text={text} />
    </figure>
  );
}
