import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { WorkbenchEvent } from '../../contract.ts';
import type { WorkbenchModel } from './workbench-model.ts';

export const WorkbenchContext = createContext<WorkbenchModel | undefined>(undefined);

export function useWorkbench(): WorkbenchModel {
  const model = useContext(WorkbenchContext);
  if (model === undefined) throw new Error('There is no workbench around this component.');
  return model;
}

/** Calls the listener with every event while the component is shown. */
export function useEvents(listener: (event: WorkbenchEvent) => void): void {
  const model = useWorkbench();
  useEffect(() => model.subscribe(listener), [model, listener]);
}
