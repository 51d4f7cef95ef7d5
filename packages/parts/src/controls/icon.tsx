import './icon.css';

/** Paths on a 16 by 16 grid, drawn in the text colour. */
const paths = {
  add: 'M8 3v10M3 8h10',
  assistant: 'M2.5 3h11v7.5H8L4.5 13.5v-3h-2z',
  back: 'M10 3L5 8l5 5',
  calls: 'M2 8h3l2-5 3 10 2-5h2',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  down: 'M3 6l5 5 5-5',
  edit: 'M3 13l1-3 7-7 2 2-7 7zM9.5 4.5l2 2',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  folder: 'M2 4h4l1.5 2H14v7H2z',
  forward: 'M6 3l5 5-5 5',
  hooks: 'M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z',
  link: 'M6.5 9.5l3-3M7 4.5l1.2-1.2a3 3 0 014.5 4.5L11.5 9M9 11.5l-1.2 1.2a3 3 0 01-4.5-4.5L4.5 7',
  mail: 'M2 3.5h12v9H2zM2 4.5L8 9l6-4.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  notes: 'M3 2h10v12H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  pause: 'M5 3v10M11 3v10',
  play: 'M5 3l8 5-8 5z',
  question: 'M6 6a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 12v.2',
  redo: 'M13 8a5 5 0 11-1.5-3.5M13 2v3h-3',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 9h6l.5-9',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM11 11l3 3',
  servers: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v.1M5 11v.1',
  settings:
    'M8 10.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4',
  stop: 'M4 4h8v8H4z',
  warning: 'M8 2l6.5 12h-13zM8 6.5v3.5M8 12v.1',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
