import { maxFileBytes } from '../../channel/limits.ts';
import type { ChatFile } from '../../chat/wire.ts';
import { request } from '../api.ts';

/** Throws ApiError, and an Error for a file that is too large. */
export async function upload(file: File): Promise<ChatFile> {
  if (file.size > maxFileBytes)
    throw new Error(`${file.name} has more than 20 MB, and a file may have at most that.`);
  const query = new URLSearchParams({ name: file.name, type: file.type });
  const response = await request(`upload?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
  return (await response.json()) as ChatFile;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
