import { oneLine } from '@errand/host';
import { useEffect, useRef } from 'preact/hooks';
import type { MailItem } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { subjectOf } from './mail-card.tsx';
import { MailLabels } from './mail-labels.tsx';
import { folderNames, type MailGroup } from './mail-order.ts';

export interface MailListProps {
  readonly groups: readonly MailGroup[];
  /** The id of the item that is being read. */
  readonly current: string;
}

/** All notes of the board below each other, in reading order. */
export function MailList({ groups, current }: MailListProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[aria-current]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav class="mail-list" aria-label="Mail" ref={list}>
      {groups.map(
        ({ folder, items }) =>
          items.length > 0 && (
            <section key={folder} aria-labelledby={`list-${folder}`}>
              <h2 id={`list-${folder}`} class="small soft">
                {`${folderNames[folder]} ${items.length}`}
              </h2>
              <ul>
                {items.map((item) => (
                  <Row key={item.path} item={item} isCurrent={item.id === current} />
                ))}
              </ul>
            </section>
          ),
      )}
    </nav>
  );
}

function Row({ item, isCurrent }: { readonly item: MailItem; readonly isCurrent: boolean }) {
  return (
    <li>
      <a href={hrefTo('mail', item.id)} aria-current={isCurrent ? 'true' : undefined}>
        <span class="small soft">{oneLine(item.who, 60) || 'nobody'}</span>
        <span class="mail-list-subject">{subjectOf(item.subject)}</span>
        <MailLabels item={item} />
      </a>
    </li>
  );
}
