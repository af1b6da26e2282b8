import { PegboardError } from '../../../core/errors.ts';
import { reviewTools } from '../../../approvals/servers.ts';
import { approveReviewed } from '../../approvals/approve-reviewed.ts';
import type { CommandHandler } from '../../command.ts';
import { getServer } from '../../servers/find-server.ts';
import { connectServers } from '../../servers/wait-for-servers.ts';

/** Approves the named tools, or all of a server. Nothing to approve is not an error. */
export const run: CommandHandler = async (context) => {
  const [name = '', ...wanted] = context.words;
  const host = await context.openHost();
  const server = getServer(host, name);
  await connectServers(host, context);
  const { pendingTools } = server;
  const unknown = wanted.find((tool) => !pendingTools.some((one) => one.name === tool));
  if (unknown !== undefined) {
    const names = pendingTools.map((one) => one.name).join(', ');
    throw new PegboardError(
      'PEG_USAGE',
      `${name} has no tool "${unknown}" that is waiting for approval.${names === '' ? '' : ` Waiting: ${names}.`}`,
    );
  }
  const chosen = wanted.length === 0 ? pendingTools : pendingTools.filter((one) => wanted.includes(one.name));
  if (chosen.length === 0) return context.terminal.out.line(`No tool of ${name} is waiting for approval.`);
  await approveReviewed(reviewTools(server, chosen, host), context);
};
