import { createInterface } from 'node:readline';
import { pegboard } from '../../core/own-command.ts';
import type { Context } from '../command.ts';
import type { StayingLine } from '../terminal/live-region.ts';
import { continuesOnNextLine } from '../terminal/editor/composer.ts';
import { listServers, connectInBackground } from '../servers/wait-for-servers.ts';
import { chooseConversation, isConversationChosen } from './choose-conversation.ts';
import { createChat } from './chat/chat.ts';
import { createOwnConversation } from './chat/own-conversation.ts';
import { openRunning } from '../open-running.ts';
import { createPartner, hasModel } from './chat/partner.ts';
import { createSession } from './session.ts';
import { showWaitingMessages } from './waiting-messages.ts';

/**
 * One message or command a line, like a shell reading a script: a failed one doesn't stop the others. The last one's
 * code counts, or 1 when an answer failed to come.
 */
export async function runPiped(context: Context): Promise<number> {
  const host = await openRunning(context);
  const partner = createPartner(host, context.options.value('agent'));
  await chooseConversation(host, context, partner);
  // A model can work without them for now; a tool that a line names must be found.
  using meeting = hasModel(partner) ? connectInBackground(host, context) : undefined;
  if (!meeting) await listServers(host, context);
  const chat = createChat({
    host,
    context,
    partner,
    conversation: createOwnConversation(host, { isChosen: isConversationChosen(context) }),
    guided: createSession(host, context),
    openTurn: async () => (await import('./turn/plain-turn.ts')).openPlainTurn(context.terminal),
  });
  const { err } = context.terminal;
  const print = (lines: readonly StayingLine[]): void => {
    for (const line of lines) {
      if (typeof line === 'string') err.line(line);
      else err.write(`${line.raw}\n`);
    }
  };
  host.announce();
  await using _waiting = showWaitingMessages(host, { print }, err);
  let code = 0;
  let failed = false;
  let isEmpty = true;
  const { stdin } = context.surroundings;
  for await (const line of messagesIn(createInterface({ input: stdin, signal: context.signal }))) {
    if (context.signal.aborted) break;
    isEmpty = false;
    const ended = await chat.run(line);
    if (ended === undefined) break;
    code = ended;
    failed ||= ended === 1 && hasModel(partner);
  }
  if (isEmpty && !context.signal.aborted)
    err.line(
      `Nothing came on stdin. On a terminal, Pegboard is a prompt; \`${pegboard} help\` lists the commands.`,
    );
  return failed ? 1 : code;
}

/** A backslash at the end of a line continues it on the next one. */
async function* messagesIn(lines: AsyncIterable<string>): AsyncIterable<string> {
  let open = '';
  for await (const line of lines) {
    if (!continuesOnNextLine(line)) {
      yield open + line;
      open = '';
    } else open += `${line.slice(0, -1)}\n`;
  }
  if (open !== '') yield open;
}
