import './effect-list.css';

/** What a person agrees to, line by line. */
export function EffectList({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul class="effect-list">
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}
