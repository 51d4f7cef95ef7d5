import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AssistantModel } from './assistant-model.ts';

export const AssistantContext = createContext<AssistantModel | undefined>(undefined);

export function useAssistant(): AssistantModel {
  const model = useContext(AssistantContext);
  if (model === undefined) throw new Error('There is no assistant around this component.');
  return model;
}
