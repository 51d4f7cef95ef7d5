import './does.css';

/** What a server does on this machine, line by line. */
export function Does({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul class="does">
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}
