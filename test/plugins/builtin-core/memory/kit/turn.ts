import { createProvenance } from '../../../../../host/agent/provenance.ts';
import type { Contributions } from '../../../../../host/api/plugin.ts';
import type { TurnContext } from '../../../../../host/api/conversation.ts';
import type { PluginHome } from '../../../../kit/homes/plugin-home.ts';

/** A turn as hooks see it. */
export function turnOf(
  text: string,
  conversation: { readonly id: number; readonly source: string; readonly externalId: string },
  embedding?: Float32Array,
): TurnContext {
  return {
    message: { source: conversation.source, externalId: conversation.externalId, text },
    conversation,
    agent: 'test',
    untrusted: createProvenance(),
    embedding: () => Promise.resolve(embedding),
    signal: new AbortController().signal,
  };
}

/** The contributions of the plugin under test, besides tools. */
export function coreOf(home: PluginHome): Required<Pick<Contributions, 'turn' | 'commands'>> {
  return home.plugins.instances.find(({ manifest }) => manifest.id === 'builtin-core')!;
}

/** The output of a command of the plugin, and its JSON document. */
export async function runCommand(
  home: PluginHome,
  name: string,
  words: readonly string[] = [],
  options: { readonly [name: string]: string | true } = {},
): Promise<{ readonly text: string; readonly document: any; readonly progress: readonly string[] }> {
  const lines: string[] = [];
  const progress: string[] = [];
  let document: unknown;
  await coreOf(home).commands[name]!({
    words,
    options,
    out: (line) => void lines.push(line),
    json: (value) => (document = value),
    progress: (done, total, what) => void progress.push(`${what} ${done}/${total}`),
    signal: new AbortController().signal,
  });
  return { text: lines.join('\n'), document, progress };
}
