import { hashCode } from '../../../plugins/loading/folder-hash.ts';
import { grantSecrets } from '../../../secrets/grants.ts';
import type { Host } from '../../../host.ts';
import { pendingIn } from '../../../approvals/pending-in-host.ts';
import { reviewPlugin } from '../../../approvals/plugins.ts';
import { answerQuestion } from '../../approvals/answer-question.ts';
import { approveReviewed } from '../../approvals/approve-reviewed.ts';
import { findPending, isNumber } from '../../approvals/find-pending.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { connectServers } from '../../servers/wait-for-servers.ts';

/** Approves one after the other. Nothing to approve is not an error. */
export const run: CommandHandler = async (context) => {
  const { words, terminal } = context;
  const host = await context.openHost(words.length > 0 && words.every(isNumber) ? { mcp: 'off' } : {});
  await connectServers(host, context);
  const pending = pendingIn(host);
  if (words.length > 0) for (const word of words) await allow(word, host, context);
  else if (pending.length === 0) terminal.out.line('Nothing is waiting for your approval.');
  else for (const one of pending) await approveReviewed(one.review(), context);
};

async function allow(word: string, host: Host, context: Context): Promise<void> {
  if (isNumber(word)) return answerQuestion(host, Number(word), context);
  const pending = pendingIn(host);
  const found = pending.find(({ id }) => id === word || id === `spaces/${word}`);
  if (found) return approveReviewed(found.review(), context);
  const plugin = host.plugins.states.find(({ manifest }) => manifest.id === word)?.manifest;
  if (plugin) {
    const { out } = context.terminal;
    if (plugin.builtin) return out.line(`${word} comes with Pegboard and is trusted.`);
    const review = reviewPlugin(plugin, host);
    if (host.trust.isTrusted(word, hashCode(plugin))) return out.line(`${word} is already trusted.`);
    return approveReviewed(review, context);
  }
  if (await allowSecrets(word, host, context)) return;
  findPending(word, pending);
}

/** Lets a tool use the secrets that its manifest names. False when there is no such tool. */
async function allowSecrets(word: string, host: Host, { terminal }: Context): Promise<boolean> {
  const tool = host.registry.snapshot.find(word);
  if (!tool) return false;
  terminal.out.line(await grantSecrets(tool, host));
  return true;
}
