import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../../contract.ts';
import { failureOf } from '../model/api.ts';

/** A component that is loaded when it is first shown, to keep the first load of the page small. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props>>();
    const [failure, setFailure] = useState<Failure>();
    useEffect(() => {
      load().then(
        (component) => setLoaded(() => component),
        (error) => setFailure(failureOf(error)),
      );
    }, []);
    if (failure !== undefined) return <p class="field-error">{failure.message}</p>;
    if (Loaded === undefined) return <p class="loading soft">Loading …</p>;
    return <Loaded {...props} />;
  };
}
