import { lookAtPlugin } from '../../../../held-back/plugins.ts';
import { hashCode } from '../../../../plugins/folder-hash.ts';
import { approve } from '../../approve.ts';
import type { Run } from '../../command.ts';
import { findPlugin } from '../../find-plugin.ts';

export const run: Run = async (context) => {
  const { out } = context.terminal;
  const host = await context.openHost({ mcp: 'off' });
  const manifest = findPlugin(host, context.words[0]!);
  const { id, builtin } = manifest;
  if (builtin) return out.line(`${id} comes with Pegboard and is trusted.`);
  if (host.trust.isTrusted(id, hashCode(manifest))) return out.line(`${id} is trusted as it is.`);
  await approve(lookAtPlugin(manifest, host), context);
};
