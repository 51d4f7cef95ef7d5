import type { markdown } from '@codemirror/lang-markdown';
import { tags } from '@lezer/highlight';

type Extensions = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;

/** Parses frontmatter as one block; otherwise its last line would become a heading. */
export const frontmatter: Extensions = {
  defineNodes: [{ name: 'Frontmatter', block: true, style: tags.meta }],
  parseBlock: [
    {
      name: 'Frontmatter',
      before: 'HorizontalRule',
      parse: (context, line) => {
        if (context.lineStart !== 0 || !isRule(line.text)) return false;
        while (context.nextLine()) {
          if (!isRule(line.text)) continue;
          const end = context.lineStart + line.text.length;
          context.nextLine();
          context.addElement(context.elt('Frontmatter', 0, end));
          return true;
        }
        return false;
      },
    },
  ],
};

function isRule(text: string): boolean {
  return /^---[ \t]*$/.test(text);
}
