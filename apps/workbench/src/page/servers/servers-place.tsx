import type { Route } from '../model/route.ts';

export function ServersPlace({ route }: { readonly route: Route }) {
  return (
    <section>
      <h1>Servers</h1>
      <p>{route.item}</p>
    </section>
  );
}
