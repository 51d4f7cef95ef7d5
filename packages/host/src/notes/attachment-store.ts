/** Files for what a note cannot hold. They are named by their content, so equal content is one file. */
export interface AttachmentStore {
  /** Resolves with the file's path, relative to the vault. */
  save(content: Uint8Array, extension: string): Promise<string>;
}
