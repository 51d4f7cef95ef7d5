import { Button } from '@errand/parts/controls';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Route } from '../model/route.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { keepFocus } from '../parts/focus-heading.ts';
import { MailBoardView } from './mail-board.tsx';
import { MailHead } from './mail-head.tsx';
import './mail-page.css';
import { MailReader } from './mail-reader.tsx';
import { useMailBoard } from './use-mail-board.ts';

/** Notes of Done on the board at first. */
const firstDone = 30;

/** The mailroom: its board, or with `/ID` a mail and its draft side by side. */
export function MailPage({ route: { item } }: { readonly route: Route }) {
  const [mostDone, setMostDone] = useState(firstDone);
  const loaded = useMailBoard(mostDone);
  const { board, failure, reload } = loaded;
  const last = useRef(item);
  useEffect(() => {
    if (last.current !== '' && item === '') keepFocus();
    last.current = item;
  }, [item]);
  if (board === undefined) {
    return (
      <section class="page mail" aria-busy={failure === undefined}>
        <h1>Mail</h1>
        {failure === undefined ? (
          <p class="soft" role="status">
            Loading …
          </p>
        ) : (
          <EmptyState icon="warning" title="The mail cannot be shown">
            <p>{failure.message}</p>
            <Button onClick={() => void reload()}>Try again</Button>
          </EmptyState>
        )}
      </section>
    );
  }
  return (
    <section class={item === '' ? 'page mail' : 'page mail is-reading'}>
      <MailHead board={board} failure={failure} onChanged={reload} />
      {item === '' ? (
        <MailBoardView
          board={board}
          onChanged={reload}
          onMore={() => setMostDone(mostDone + 200)}
        />
      ) : (
        <MailReader key="reader" id={item} board={board} onChanged={reload} />
      )}
    </section>
  );
}
