import { CheckField, Field } from '@errand/parts/controls';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure, Server } from '../../contract.ts';
import { adviceInPage } from '../model/advice.ts';
import { type AnswerOf, api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import './paste-servers.css';
import { EffectList } from './effect-list.tsx';

export interface PasteServersProps {
  /** The id of the form, for a submit button outside of it. */
  readonly id: string;
  readonly onImported: (servers: readonly Server[]) => void;
}

/** Imports servers from the pasted configuration of another program. */
export function PasteServers({ id, onImported }: PasteServersProps) {
  const model = useWorkbench();
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [plain, setPlain] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const { found, failure, fail } = usePasted(text);
  const chosen = found?.servers.filter(({ name }) => !refused.has(name)) ?? [];
  const submit = async () => {
    if (isBusy) return;
    if (chosen.length === 0) {
      const message = found
        ? 'Nothing is selected. Select what to add.'
        : 'Paste the configuration of a program that uses MCP servers.';
      fail({ code: 'invalid_input', message });
      return;
    }
    const json = { text, names: chosen.map(({ name }) => name), plain: [...plain] };
    setBusy(true);
    try {
      const { servers } = await api.servers.import.$post({ json });
      for (const server of servers) model.apply({ kind: 'server-changed', server });
      onImported(servers);
    } catch (error) {
      fail(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <form
      id={id}
      class="paste-servers"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Configuration"
        hint="JSON or TOML as Claude Desktop, VS Code, Cursor, Codex and others keep it. Nothing is stored until you add it."
        error={failure?.message}
      >
        {(control) => (
          <textarea
            {...control}
            rows={8}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {found && found.problems.length > 0 && (
        <ul class="paste-problems small">
          {found.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {found && found.servers.length > 0 && (
        <fieldset class="paste-found">
          <legend>Found</legend>
          {found.servers.map(({ name, originalName, program, does, notes, advice, secrets }) => (
            <Fragment key={name}>
              <CheckField
                label={
                  <>
                    <strong>{name}</strong>
                    <span class="soft">{originOf(name, originalName, program)}</span>
                  </>
                }
                hint={
                  <>
                    <EffectList lines={does} />
                    {[...notes, ...adviceInPage(advice)].map((note) => (
                      <p key={note} class="paste-note">
                        {note}
                      </p>
                    ))}
                  </>
                }
                isChecked={!refused.has(name)}
                onChange={(isChecked) => setRefused(without(refused, name, isChecked))}
              />
              {secrets.length > 0 && (
                <CheckField
                  label={`Keep ${secrets.join(', ')} of ${name} as secrets`}
                  hint="On this machine, outside the vault; its settings then hold only their names."
                  isChecked={!plain.has(name)}
                  onChange={(isChecked) => setPlain(without(plain, name, isChecked))}
                />
              )}
            </Fragment>
          ))}
        </fieldset>
      )}
    </form>
  );
}

/** Updates the set of unchecked names. */
function without(
  names: ReadonlySet<string>,
  name: string,
  isChecked: boolean,
): ReadonlySet<string> {
  const others = [...names].filter((other) => other !== name);
  return new Set(isChecked ? others : [...others, name]);
}

/** The program it comes from, if known, and its name there if that differs. */
function originOf(name: string, originalName: string, program: string): string {
  const isKnown = program !== 'pasted';
  if (name === originalName) return isKnown ? ` from ${program}` : '';
  return ` ("${originalName}" in ${isKnown ? program : 'the text'})`;
}

/** The servers that the API finds in the text, debounced. */
function usePasted(text: string) {
  const [found, setFound] = useState<AnswerOf<typeof api.servers.read.$post>>();
  const [failure, fail] = useState<Failure>();
  useEffect(() => {
    setFound(undefined);
    fail(undefined);
    if (text.trim() === '') return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      api.servers.read.$post({ json: { text } }, leaving.signal).then(setFound, (error) => {
        if (!leaving.signal.aborted) fail(failureOf(error));
      });
    }, 250);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return { found, failure, fail };
}
