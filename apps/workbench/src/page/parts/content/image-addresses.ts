import type { CallContent } from '../../../contract.ts';

/** Data URLs of the images that are safe to show. */
export function imageAddresses(attachments: CallContent['attachments']): readonly string[] {
  return attachments
    .filter(({ mimeType }) => /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType))
    .map(({ mimeType, data }) => `data:${mimeType};base64,${data}`);
}
