import { randomUUID } from 'node:crypto';
import { PegboardError } from '../../../core/errors.ts';
import { pegboard } from '../../../core/own-command.ts';
import type { Host } from '../../../host.ts';
import type { IncomingMessage, Reply } from '../../../api/conversation.ts';
import { toDispatchRequest } from '../../../spaces/dispatch-request.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { admitProject } from '../../approvals/admit-project.ts';
import { usageError } from '../../parse.ts';
import { openOfFolder, terminalKey } from '../../prompt/chat/own-conversation.ts';
import type { TypedAhead } from '../../prompt/turn/turn-screen.ts';
import type { TurnView } from '../../prompt/turn/view.ts';
import { readGiven, readStdin } from '../../tools/given-text.ts';
import { openTurnOutput } from '../../tools/turn-output.ts';
import { oneLine } from '../../terminal/safe.ts';
import { truncate } from '../../terminal/width.ts';
import { openRunning } from '../../open-running.ts';
import { warnOfPendingCode } from '../../tools/warn-of-pending-code.ts';
import { atWorkplace } from '../../workplace.ts';
import { connectInBackground } from '../../servers/wait-for-servers.ts';

/** The conversation that the terminal continues. */
const defaultConversation = terminalKey.externalId;

export const run: CommandHandler = async (context) => {
  const { options, terminal, signal } = context;
  loadAhead();
  const goesOn = options.flag('continue');
  const written = goesOn ? readContinued(context) : await readMessage(context);
  const host = await openRunning(context);
  warnOfPendingCode(host, terminal);
  if (
    written.source === terminalKey.source &&
    written.externalId === defaultConversation &&
    !options.flag('new')
  )
    await openOfFolder(host);
  const message = goesOn ? await findContinued(host, written) : await withKey(host, written, context);
  if (!options.flag('json')) await admitProject(context.home, context);
  using _meeting = connectInBackground(host, context);
  if (options.flag('new')) {
    const { conversations } = await host.agents();
    await conversations.startNew(message);
  }
  using opened = new DisposableStack();
  const view = await openView(context, opened);
  try {
    const reply = await host.converse({
      ...message,
      ...atWorkplace(context),
      signal,
      onEvent: view.onEvent,
      ...(view.ask && { ask: view.ask }),
      ...(options.flag('yes') && { confirm: 'never' }),
    });
    await view.done(reply);
    if (options.flag('json')) terminal.json(toJson(reply));
    return reply.stopped === undefined ? 0 : 1;
  } catch (cause) {
    await view.failed();
    throw cause;
  }
};

/** A key, with which the message can be given again. Says so when the one before was interrupted. */
async function withKey(
  host: Host,
  message: IncomingMessage,
  { terminal: { err }, options }: Context,
): Promise<IncomingMessage> {
  const { conversations } = await host.agents();
  const last = options.flag('new') ? undefined : await conversations.interrupted(message);
  if (last?.isLast) {
    const about = truncate(oneLine(last.text), 60);
    const rest = message.externalId === defaultConversation ? '' : ` --conversation ${message.externalId}`;
    err.line(
      `The last turn of this conversation was interrupted: "${about}". \`${pegboard} chat --continue${rest}\` goes on with it.`,
    );
  }
  return { ...message, key: `cli/${randomUUID()}` };
}

function readContinued({ options, words, command }: Context): IncomingMessage {
  if (words.length > 0 || options.flag('new') || options.value('request') !== undefined)
    throw usageError(command, '--continue goes on with an interrupted turn: it takes no message.');
  return { source: 'cli', externalId: options.value('conversation') ?? defaultConversation, text: '' };
}

/** The message of an interrupted turn, as it was given first. */
async function findContinued(host: Host, message: IncomingMessage): Promise<IncomingMessage> {
  const { conversations } = await host.agents();
  const earlier = await conversations.interrupted(message);
  if (!earlier) throw new PegboardError('PEG_USAGE', 'No turn of this conversation was interrupted.');
  const { key, text, agent } = earlier;
  return { ...message, key, text, ...(agent !== undefined && { agent }) };
}

/** On a terminal an answer looks as at the prompt; a pipe gets what the model wrote. */
async function openView({ terminal, options, home }: Context, opened: DisposableStack): Promise<TurnView> {
  const { out, err } = terminal;
  const json = options.flag('json');
  if (json || !out.isTerminal) return opened.use(openTurnOutput(terminal, { showText: !json }));
  if (!err.isTerminal) return (await import('../../prompt/turn/plain-turn.ts')).openPlainTurn(terminal);
  const [{ openLiveRegion }, { openTurnView }] = await Promise.all([
    import('../../terminal/live-region.ts'),
    import('../../prompt/turn/turn-view.ts'),
  ]);
  // No next message is typed here.
  const nothing: TypedAhead = {
    typedAhead: () => [],
    onTypedAhead: undefined,
    hasLeft: false,
  };
  return opened.use(openTurnView(terminal, opened.use(openLiveRegion(terminal)), { input: nothing, home }));
}

/** Both take a while to load and are needed only after the home has been read. A failure here is reported there. */
function loadAhead(): void {
  for (const loading of [import('openai'), import('kysely')]) loading.catch(() => {});
}

async function readMessage(context: Context): Promise<IncomingMessage> {
  const { options } = context;
  const agent = options.value('agent');
  const externalId = options.value('conversation') ?? defaultConversation;
  const given = options.value('request');
  if (given === undefined) {
    const text = await readText(context);
    return { source: 'cli', externalId, text, ...(agent !== undefined && { agent }) };
  }
  const request = toDispatchRequest(await readGiven('--request', given, context.surroundings));
  const text = request.message ?? (await readText(context));
  const { tools } = request;
  return { source: 'cli', externalId, text, agent: request.agent, ...(tools && { context: { tools } }) };
}

async function readText({ words, command, terminal, options }: Context): Promise<string> {
  const written = words.join(' ');
  if (written !== '' && written.trim() === '')
    throw usageError(command, 'There is no message: the text that was given is blank.');
  if (written !== '' && written !== '-') return written;
  const taken = options.value('request') === '-';
  if (taken) throw usageError(command, 'The request has no "message", and no text was given with it.');
  if (written === '' && terminal.interactive)
    throw usageError(command, `chat needs a message. Run \`${pegboard}\` alone for a conversation.`);
  const text = (await readStdin(terminal.surroundings.stdin)).trim();
  if (text === '') throw usageError(command, 'There is no message: no text was given, and stdin was empty.');
  return text;
}

/** The shape that scripts depend on. */
function toJson({ text, toolCalls, usage, conversation, uncertain, stopped }: Reply): object {
  const early = { ...(uncertain && { uncertain }), ...(stopped !== undefined && { stopped }) };
  return { text, toolCalls, usage, conversation, ...early };
}
