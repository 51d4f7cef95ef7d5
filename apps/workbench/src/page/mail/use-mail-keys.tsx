import { useEffect, useRef } from 'preact/hooks';

type MailKey = 'j' | 'k' | 'e' | 'a' | 'r' | 'w' | 'u';

const meanings: Readonly<Record<MailKey, string>> = {
  j: 'next',
  k: 'previous',
  e: 'edit',
  a: 'approve',
  r: 'reject',
  w: 'why',
  u: 'board',
};

/** Calls a handler when its letter is pressed, unless somebody types or a dialog is open. */
export function useMailKeys(handlers: Readonly<Partial<Record<MailKey, () => void>>>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || event.repeat || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(typing)) return;
      if (document.querySelector('dialog[open]')) return;
      const handler = current.current[key as MailKey];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

const typing = 'input, textarea, select, [contenteditable]';

/** Says which letters do what. */
export function MailKeyHelp({ keys }: { readonly keys: readonly MailKey[] }) {
  return (
    <p class="mail-keys small soft">
      {keys.map((key) => (
        <span key={key}>
          <kbd>{key}</kbd> {meanings[key]}
        </span>
      ))}
    </p>
  );
}
