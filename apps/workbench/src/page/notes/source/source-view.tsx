import { Button } from '@errand/parts/controls';
import { effect } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Block, Failure } from '../../../contract.ts';
import { api, failureOf } from '../../model/api.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import type { WorkbenchModel } from '../../model/workbench-model.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EditedDialog } from '../card/edited-dialog.tsx';
import { plainLineEnds, withLineEnds } from '../model/line-ends.ts';
import type { OpenNote } from '../model/open-note.ts';
import type { EditorPorts, SourceEditor } from './create-editor.ts';
import { findMarks } from './find-marks.ts';
import './source-view.css';

export interface SourceViewProps {
  readonly opened: OpenNote;
  readonly line: string | undefined;
}

/** The source editor of a note. */
export function SourceView({ opened, line }: SourceViewProps) {
  const workbench = useWorkbench();
  const { toasts } = workbench;
  const [edited, setEdited] = useState<Block | undefined>(undefined);
  const [mistakes, setMistakes] = useState(0);
  const runAt = useCallback(
    async (at: number) => {
      if (!(await opened.save())) return;
      const block = blockAt(opened, at);
      if (block === undefined) toasts.tell('The cursor is not in a tool block.');
      else if (block.state === 'edited') setEdited(block);
      else if (block.problem !== null) toasts.fail(block.problem);
      else await opened.run({ keys: [block.key] });
    },
    [opened, toasts],
  );
  const check = useCallback(
    async (text: string) => {
      const query = { path: opened.path };
      const reading = await api.note.check.$post({ query, json: { text } });
      const marks = findMarks(reading);
      setMistakes(marks.length);
      return marks;
    },
    [opened],
  );
  const suggestions = useMemo(() => suggestionsFor(opened, workbench), [opened, workbench]);
  const { host, editor, failure } = useEditor(opened, { line, runAt, check, suggestions });
  return (
    <div class="source-view">
      {failure && (
        <EmptyState icon="warning" title="The editor could not be loaded">
          <p>{failure.message}</p>
        </EmptyState>
      )}
      <div ref={host} class="source-editor" />
      <footer class="small soft">
        <Button isSmall icon="play" onClick={() => void runAt(editor.current?.cursorLine() ?? 0)}>
          Run block at cursor
        </Button>
        <span class="source-keys">
          <kbd>Ctrl+S</kbd> saves, <kbd>Ctrl+Enter</kbd> runs the block at the cursor
        </span>
        <span role="status">
          {mistakes === 0
            ? ''
            : `${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'} underlined`}
        </span>
      </footer>
      {edited && (
        <EditedDialog opened={opened} blockKey={edited.key} onClose={() => setEdited(undefined)} />
      )}
    </div>
  );
}

interface EditorWork extends Pick<EditorPorts, 'check' | 'suggestions'> {
  readonly line: string | undefined;
  readonly runAt: (line: number) => Promise<void>;
}

/** Loads the editor lazily and synchronizes it with the note. */
function useEditor(opened: OpenNote, { line, runAt, check, suggestions }: EditorWork) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SourceEditor | undefined>(undefined);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    const root = current.shadowRoot ?? current.attachShadow({ mode: 'open' });
    let stop: (() => void) | undefined;
    let isGone = false;
    import('./create-editor.ts').then(
      ({ createEditor }) => {
        if (isGone) return;
        const made = createEditor({
          root,
          label: `Source of ${opened.path}`,
          text: plainLineEnds(textOf(opened)),
          before: opened.editorState,
          line: line === undefined ? undefined : Number(line),
          onChange: (text) => opened.edit(withLineEnds(textOf(opened), text)),
          onSave: () => void opened.save(),
          onRun: (at) => void runAt(at),
          suggestions,
          check,
        });
        editor.current = made;
        const unfollow = effect(() => made.show(plainLineEnds(textOf(opened))));
        stop = () => {
          unfollow();
          opened.editorState = made.destroy();
        };
      },
      (error) => setFailure(failureOf(error)),
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [opened, line, runAt, check, suggestions]);
  return { host, editor, failure };
}

/** The editor's suggestions come from the API, which knows sections, bindings and tools. */
function suggestionsFor({ path }: OpenNote, workbench: WorkbenchModel): EditorPorts['suggestions'] {
  return {
    isServer: (word) =>
      workbench.servers.value.some(({ name }) => name.toLowerCase() === word.toLowerCase()),
    at: (text, at, signal) =>
      api.note.suggest.$post({ query: { path }, json: { text, at } }, signal),
    startServer: async (id) => {
      await workbench.attempt(() => api.servers[':id'].tools.$get({ param: { id }, query: {} }));
    },
  };
}

function textOf({ draft, note }: OpenNote): string {
  return (draft.value ?? note.value)?.text ?? '';
}

/** The block whose request or answer a line belongs to. */
function blockAt({ note }: OpenNote, line: number): Block | undefined {
  return note.value?.blocks.find(
    (block) => block.line <= line && line <= (block.result?.endLine ?? block.endLine),
  );
}
