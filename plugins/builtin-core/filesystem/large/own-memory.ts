/** What can be transferred to another thread with the bytes: small ones share their memory with others. */
export const ownMemory = (bytes: Uint8Array | undefined): readonly ArrayBuffer[] =>
  bytes && bytes.length > 0 && bytes.length === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
