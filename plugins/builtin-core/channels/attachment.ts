import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PegboardError, type Artifacts, type Content } from 'pegboard';
import { mediaTypeOf } from 'pegboard/files';
import { toText } from '../filesystem/content.ts';
import { checkReadable, missing, readBytes } from '../filesystem/files.ts';
import { openPath } from '../filesystem/access/open-path.ts';
import type { Roots } from '../filesystem/access/roots.ts';
import { secretReason } from '../filesystem/access/secret-files.ts';

/** Maximum bytes that a channel is asked to send. */
const maxFileBytes = 20 * 1024 * 1024;
const maxArtifactLength = 50_000_000;

/** The real path, and why a person has to confirm first, if at all. Throws when the file must not be sent. */
export function checkFile(
  roots: Roots,
  path: string,
): { readonly path: string; readonly sensitive: string | undefined } {
  using reached = openPath(roots, path);
  if (!reached.stats) throw missing(reached);
  checkReadable(reached.path, reached.stats);
  if (reached.stats.size > maxFileBytes) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${reached.path} has ${reached.stats.size.toLocaleString('en')} bytes; up to ${maxFileBytes.toLocaleString('en')} are sent.`,
    );
  }
  return { path: reached.path, sensitive: secretReason(roots, reached.path) };
}

export async function fileAttachment(roots: Roots, path: string): Promise<Content> {
  using reached = openPath(roots, path);
  // The confirmed file is the one that is sent, even if a link replaced it in the meantime.
  if (reached.path !== path)
    throw new PegboardError('PEG_TOOL_FAILED', `${path} was replaced while this call was being prepared.`);
  const bytes = await readBytes(reached);
  const mimeType = mediaTypeOf(bytes);
  if (mimeType?.startsWith('image/')) return { type: 'image', data: bytes.toString('base64'), mimeType };
  const uri = pathToFileURL(path).href;
  const name = basename(path);
  if (mimeType === undefined && toText(bytes))
    return { type: 'resource', resource: { uri, name, mimeType: 'text/plain', text: toText(bytes)!.text } };
  const blob = bytes.toString('base64');
  return {
    type: 'resource',
    resource: { uri, name, mimeType: mimeType ?? 'application/octet-stream', blob },
  };
}

export async function artifactAttachment(artifacts: Artifacts, id: string): Promise<Content> {
  const { text } = await artifacts.read(id, 0, maxArtifactLength);
  const uri = `artifact:${id}`;
  return { type: 'resource', resource: { uri, name: `${id}.txt`, mimeType: 'text/plain', text } };
}
