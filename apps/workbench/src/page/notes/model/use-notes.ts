import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { NotesModel } from './notes-model.ts';

export const NotesContext = createContext<NotesModel | undefined>(undefined);

export function useNotes(): NotesModel {
  const notes = useContext(NotesContext);
  if (notes === undefined) throw new Error('There are no notes around this component.');
  return notes;
}
