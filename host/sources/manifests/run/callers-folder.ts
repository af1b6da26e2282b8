import { fileURLToPath } from 'node:url';
import type { Caller } from '../../../api/tool.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isFolder, realPathOf } from '../../../core/files/paths.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** `cwd` of a manifest whose command runs where its caller works. A folder of the space with this name is `./caller`. */
export const callersFolder = 'caller';

const neverAborted = new AbortController().signal;

/**
 * The folder in which the person stands at the terminal, or the only root of an MCP client: absolute, with links resolved.
 * Throws PEG_DENIED for a caller that works in no folder, in several, or in one that isn't on this machine.
 */
export async function folderOf(tool: string, caller: Caller): Promise<string> {
  const folder = caller.workplace?.folder ?? (await rootOf(tool, caller));
  if (!isFolder(folder)) throw refusal(tool, `${folder} is not a folder on this machine`);
  return realPathOf(folder);
}

async function rootOf(tool: string, { peer, signal = neverAborted }: Caller): Promise<string> {
  if (!peer) throw refusal(tool, 'this call comes from no folder');
  if (typeof peer.capabilities['roots'] !== 'object')
    throw refusal(tool, "this MCP client doesn't say in which folder it works (it has no roots)");
  const { roots } = await peer.request('roots/list', {}, { signal, name: 'roots' });
  const addresses = (Array.isArray(roots) ? roots : []).map((root: { readonly uri?: unknown }) => root.uri);
  if (addresses.length !== 1)
    throw refusal(tool, `this MCP client works in ${addresses.length} folders, and it has to be one`);
  return pathOf(tool, addresses[0]);
}

function pathOf(tool: string, address: unknown): string {
  try {
    return fileURLToPath(String(address));
  } catch {
    throw refusal(tool, `the root of this MCP client is not a folder: ${String(address)}`);
  }
}

const refusal = (tool: string, why: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${tool} was not run: it runs in the folder of its caller (cwd: caller), and ${asSentence(why)} Call it from a terminal in that folder, or from an MCP client with one root.`,
  );
