import { neutralize } from '@errand/document/display';
import { Markdown } from '../parts/content/markdown.tsx';
import { settledPieces } from './settled-pieces.ts';

export interface LiveMarkdownProps {
  readonly text: string;
  /** Whether the text is still streaming. */
  readonly isLive: boolean;
}

/** The rendered text of a model, also while it is streaming. */
export function LiveMarkdown({ text, isLive }: LiveMarkdownProps) {
  const pieces = isLive ? settledPieces(text) : [{ at: 0, text }];
  return (
    <div class="live-markdown">
      {pieces.map((piece) => (
        <Markdown key={piece.at} text={neutralize(piece.text)} />
      ))}
    </div>
  );
}
