import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from '../../../api/conversation.ts';
import type { InterruptedTurn } from '../../../store/conversations/conversations.ts';
import { exitCodeOf } from '../../../core/errors.ts';
import { pluginCommandsOf } from '../../plugin-commands.ts';
import { reportFailure } from '../../report-failure.ts';
import type { Session } from '../session.ts';
import { atWorkplace } from '../../workplace.ts';
import type { AttachOptions } from '../files/attach-files.ts';
import type { TurnView } from '../turn/view.ts';
import { hasModel } from './partner.ts';
import { runOwn, runShared, type ChatScene } from './own-commands.ts';
import { terminalKey } from './own-conversation.ts';
import { checkRest, readSlash, type Slash } from './slash.ts';

export interface ChatOptions extends ChatScene {
  /** Runs the commands of `pegboard` and its plugins. */
  readonly guided: Session;
  readonly openTurn: () => Promise<TurnView>;
  /** How files that a message mentions are attached. Absent over a pipe: a message may be somebody else's words there. */
  readonly files?: Pick<AttachOptions, 'ask' | 'isPasted'>;
}

type Message = Pick<IncomingMessage, 'text' | 'attachments' | 'untrusted'>;

const stopped = 'Stopped.';

/** Lines that begin with a slash are commands. Others go to an agent, or without a model to the guided prompt. */
export function createChat({ guided, openTurn, files, ...scene }: ChatOptions): Session {
  const { host, context, partner, conversation } = scene;
  const { terminal, home } = context;

  const sendNew = async (text: string): Promise<number> => {
    try {
      return await sendMessage(await withFiles(text, scene, files));
    } catch (cause) {
      return await reportFailure(cause, { args: [text], terminal, home });
    }
  };

  /** A turn that goes on has the key, and the agent, of its first attempt. */
  const sendMessage = async (message: Message, earlier?: InterruptedTurn): Promise<number> => {
    using scope = context.openScope();
    using view = await openTurn();
    const { onEvent, ask } = view;
    const agent = earlier?.agent ?? partner.chosen;
    try {
      await conversation.keep();
      const reply = await host.converse({
        ...terminalKey,
        ...atWorkplace(host),
        ...message,
        key: earlier?.key ?? `${terminalKey.source}/${randomUUID()}`,
        onEvent,
        signal: scope.signal,
        ...(ask && { ask }),
        ...(agent !== undefined && { agent }),
        ...(context.options.flag('yes') && { confirm: 'never' }),
      });
      await conversation.mayHaveBegun();
      await view.done(scope.signal.aborted ? { ...reply, stopped } : reply);
      return reply.stopped === undefined ? 0 : 1;
    } catch (cause) {
      await view.failed(scope.signal.aborted ? stopped : undefined);
      if (scope.signal.aborted) return 1;
      await reportFailure(cause, { args: [message.text], terminal, home });
      if (terminal.interactive) terminal.err.line();
      return 1;
    }
  };

  const goOn = async (): Promise<number> => {
    const { conversations } = await host.agents();
    await conversation.keep();
    const earlier = await conversations.interrupted(terminalKey);
    if (earlier) return await sendMessage({ text: earlier.text }, earlier);
    terminal.err.line('No turn of this conversation was interrupted.');
    return 1;
  };

  const obey = async (line: string, slash: Slash): Promise<number | undefined> => {
    if (slash.kind === 'quit') return undefined;
    checkRest(slash);
    if (slash.kind === 'continue') return await goOn();
    if (slash.kind === 'command') return guided.run(`/${slash.line}`);
    if (slash.kind === 'skill') return hasModel(partner) ? sendNew(line) : guided.run(line);
    if (slash.kind === 'unknown') return reject(line, slash);
    if (slash.kind === 'conversation') {
      using stopping = context.openScope();
      await runShared(scene, slash, stopping.signal);
      return 0;
    }
    if (slash.kind === 'help' && !hasModel(partner)) return guided.run('help');
    await runOwn[slash.kind](scene, slash.rest);
    return 0;
  };

  /** Names of tools are suggested too. */
  const reject = async (
    line: string,
    { name, near }: Extract<Slash, { kind: 'unknown' }>,
  ): Promise<number | undefined> => {
    if (host.registry.snapshot.find(name)) return guided.run(line);
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    terminal.err.line(`There is no /${name}.${hint} /help lists what there is.`);
    return exitCodeOf('PEG_USAGE');
  };

  return {
    async run(line) {
      const text = line.trim();
      if (text === '') return 0;
      if (/^(?:quit|exit)$/.test(text)) return undefined;
      const slash = readSlash(text, partner.skills, pluginCommandsOf(host));
      if (!slash) return hasModel(partner) ? sendNew(text) : guided.run(line);
      try {
        const code = await obey(text, slash);
        if (terminal.interactive && code !== undefined) terminal.err.line();
        return code;
      } catch (cause) {
        return reportFailure(cause, { args: [text], terminal, home });
      }
    },
  };
}

async function withFiles(
  text: string,
  { host, context, partner }: ChatScene,
  options: ChatOptions['files'],
): Promise<Message> {
  if (!options || !text.includes('@')) return { text };
  const { err } = context.terminal;
  const { attachFiles } = await import('../files/attach-files.ts');
  using attaching = context.openScope();
  const scope = host.scopeFor(partner.agent.id);
  const { files, ...message } = await attachFiles(text, host, {
    ...options,
    scope,
    signal: attaching.signal,
  });
  if (files.length > 0) err.line(err.style.quiet(`  with ${files.join(', ')}`));
  return message;
}
