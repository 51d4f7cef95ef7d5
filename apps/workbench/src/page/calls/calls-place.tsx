import type { Route } from '../model/route.ts';

export function CallsPlace({ route }: { readonly route: Route }) {
  return (
    <section>
      <h1>Calls</h1>
      <p>{route.item}</p>
    </section>
  );
}
