export { neutralize } from '../results/neutralize.ts';
export { difference } from './difference.ts';
export { duration } from './duration.ts';
export { escapeControls } from './escape-controls.ts';
export { foldText } from './fold-text.ts';
export { isSaidBelow } from './is-said-below.ts';
export { entriesOf, entryCount, openLevels } from './json-outline.ts';
export { isPicture, type ResultFile, resultParts } from './result-parts.ts';
