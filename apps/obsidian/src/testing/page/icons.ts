/** Shapes in a square of 24 by 24; others are an empty square. */
const shapes: Readonly<Record<string, string>> = {
  check: 'M4 12l5 5L20 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  play: 'M7 4l13 8-13 8z',
  'rotate-cw': 'M20 12a8 8 0 1 1-3-6.2M20 3v5h-5',
  square: 'M6 6h12v12H6z',
};

/** Puts an icon into an element, in place of what is in it. */
export function setIcon(parent: HTMLElement, name: string): void {
  const make = (tag: string, attributes: Readonly<Record<string, string>>) => {
    const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
    return el;
  };
  const icon = make('svg', {
    class: `svg-icon lucide-${name}`,
    viewBox: '0 0 24 24',
    width: '24',
    height: '24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });
  icon.append(make('path', { d: shapes[name] ?? 'M3 3h18v18H3z' }));
  parent.replaceChildren(icon);
}
