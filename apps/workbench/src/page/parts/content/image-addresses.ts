import type { CallContent } from '../../../contract.ts';

/** The pictures of an answer that a browser shows without running anything. */
export function imageAddresses(attachments: CallContent['attachments']): readonly string[] {
  return attachments
    .filter(({ mimeType }) => /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType))
    .map(({ mimeType, data }) => `data:${mimeType};base64,${data}`);
}
