import type { HookOptions, HookPreview, HookView } from '@errand/hooks';
import { useEffect, useState } from 'preact/hooks';
import { draftFrom, emptyDraft, type HookDraft, hookFrom } from './hook-draft.ts';
import type { HookFormPorts } from './hook-form-ports.ts';

/** Milliseconds without typing before the preview follows. */
const pauseMs = 150;

/** What is being written, kept while another page is open; by the id of the hook, or `new`. */
const drafts = new Map<string, KeptDraft>();

interface KeptDraft {
  readonly draft: HookDraft;
  /** The digest of the hook that the draft began with. */
  readonly seen: string | undefined;
}

export interface HookFormOptions {
  /** The hook that is changed; without one, a hook is added. */
  readonly view: HookView | undefined;
  readonly options: HookOptions;
  readonly ports: HookFormPorts;
  readonly onSaved: (view: HookView) => void;
}

function initialOf(view: HookView | undefined): HookDraft {
  return view === undefined ? emptyDraft : draftFrom(view.hook);
}

/** State of the form that writes a hook: its draft, a preview that follows typing, and saving. */
export function useHookForm({ view, options, ports, onSaved }: HookFormOptions) {
  const key = view?.hook.id ?? 'new';
  const [draft, setDraft] = useState(() => drafts.get(key)?.draft ?? initialOf(view));
  // A draft that was kept belongs to the hook as it was then: what others changed since must not be overwritten.
  const [seen, setSeen] = useState(() => (drafts.has(key) ? drafts.get(key)?.seen : view?.seen));
  const [preview, setPreview] = useState<HookPreview>();
  const [isChecked, setChecked] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [refusals, setRefusals] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { assistants } = options;
  useEffect(() => {
    const leaving = new AbortController();
    const look = async () => {
      try {
        setPreview(await ports.preview(hookFrom(draft, assistants), leaving.signal));
      } catch (error) {
        // A lost connection is shown elsewhere; other failures must not go unseen.
        if (!leaving.signal.aborted) setFailure(ports.describe(error));
      }
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [draft, assistants, ports]);
  const save = async () => {
    setChecked(true);
    setFailure(undefined);
    setBusy(true);
    try {
      const saved = await ports.save(hookFrom(draft, assistants), seen);
      if ('view' in saved) {
        drafts.delete(key);
        setDraft(draftFrom(saved.view.hook));
        setSeen(saved.view.seen);
        onSaved(saved.view);
      } else {
        setRefused(saved.mistakes);
        setRefusals((count) => count + 1);
      }
    } catch (error) {
      setFailure(ports.describe(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    preview,
    mistakes: isChecked ? { ...refused, ...preview?.mistakes } : {},
    /** How often saving was refused because of mistakes. */
    refusals,
    failure,
    isBusy,
    change: (changed: HookDraft) => {
      drafts.set(key, { draft: changed, seen });
      setDraft(changed);
      setRefused({});
      setFailure(undefined);
    },
    /** Whether something was typed that is not stored. */
    isChanged: drafts.has(key),
    save: () => void save(),
    /** Forgets what was typed. */
    discard: () => void drafts.delete(key),
  };
}
