import { useEffect, useRef } from 'preact/hooks';
import type { Route } from '../model/route.ts';
import { focusHeading } from '../parts/focus-heading.ts';
import { EditHook } from './edit-hook.tsx';
import { HookList } from './hook-list.tsx';
import { HookPage } from './hook-page.tsx';
import './hooks-page.css';
import { RunPage } from './run-page.tsx';

/** The hooks of the vault: `?add=1` adds one, `/ID` opens one, `/ID?edit=1` changes it, `?run=ID` shows a run. */
export function HooksPage({ route }: { readonly route: Route }) {
  const { item, options } = route;
  const shown = JSON.stringify(route);
  const last = useRef(shown);
  useEffect(() => {
    if (last.current !== shown) focusHeading();
    last.current = shown;
  }, [shown]);
  if (options.run !== undefined) return <RunPage key={options.run} id={options.run} />;
  if (options.add !== undefined) return <EditHook />;
  if (options.edit !== undefined) return <EditHook key={item} id={item} />;
  return item === '' ? <HookList /> : <HookPage key={item} id={item} />;
}
