import { propertiesOf } from './properties-of.ts';

/** The frontmatter properties, collapsed. */
export function Properties({ lines }: { readonly lines: readonly string[] }) {
  const properties = propertiesOf(lines);
  if (properties.length === 0) return null;
  return (
    <details class="properties">
      <summary class="soft small">
        {`Properties: ${properties.map(({ name }) => name).join(', ')}`}
      </summary>
      <dl>
        {properties.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
