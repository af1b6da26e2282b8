/** The media type by the first bytes, of images that models take and of PDF. Undefined for everything else. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return head.startsWith('%PDF-') ? 'application/pdf' : undefined;
}
