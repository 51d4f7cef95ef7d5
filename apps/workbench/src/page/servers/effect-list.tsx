import './effect-list.css';

/** The effects of a server on this machine. */
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
