/** The body of a response. Throws when it is no success, or larger than `limit` bytes, without reading further. */
export async function readDownload(response: Response, limit: number): Promise<Buffer> {
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return await readAtMost(response, limit);
}

/** The same, whatever the status is. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new Error(`the file is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
