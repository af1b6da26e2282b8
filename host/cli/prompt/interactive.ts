import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import { admitProject } from '../approvals/admit-project.ts';
import { isLight } from '../terminal/answers.ts';
import type { Completion } from '../terminal/editor/completion.ts';
import { createAsk } from '../terminal/ask.ts';
import { openLiveRegion } from '../terminal/live-region.ts';
import { ownGraphics } from '../terminal/pictures/graphics.ts';
import type { Surface, Terminal } from '../terminal/terminal.ts';
import { createChat } from './chat/chat.ts';
import { createOwnConversation, type OwnConversation } from './chat/own-conversation.ts';
import { createPartner, hasModel, type Partner } from './chat/partner.ts';
import { completeSlash } from './chat/slash.ts';
import { openRunning } from '../open-running.ts';
import { offerSetup } from '../setup/offer-setup.ts';
import { completeLine } from './complete-line.ts';
import { chooseConversation, isConversationChosen } from './choose-conversation.ts';
import { conversationNotice, greet, lastTurnNotice, localModelNotice } from './greeting.ts';
import { openHistory, type InputHistory } from './history.ts';
import { openInput, type Input } from './input.ts';
import { showNewProblems } from './new-problems.ts';
import { mentionDropped } from './files/dropped-files.ts';
import { createPastedPictures, type PastedPictures } from './files/pasted-pictures.ts';
import { createSession } from './session.ts';
import { showWaitingMessages } from './waiting-messages.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** A person types, until they leave. */
export async function runInteractive(given: Context): Promise<number> {
  const { terminal, home, signal } = given;
  const { err } = terminal;
  const host = await openRunning(given, { mcp: 'connect', watch: true });
  await using kept = new AsyncDisposableStack();
  const context: Context = { ...given, keep: (resource) => void kept.use(resource) };
  const partner = createPartner(host, context.options.value('agent'));
  await chooseConversation(host, context, partner);
  if (!hasModel(partner))
    await offerSetup(
      host,
      'No model is connected yet. Connect one now, and a bot on Telegram or Discord if you like?',
      context,
    );
  if (hasModel(partner)) await admitProject(home, { terminal, signal });
  const history = await openHistory(home, (text) => terminal.redact(text));
  greet(host, context, partner);
  using region = openLiveRegion(terminal);
  using input = openInput(terminal, region, signal);
  askTerminal(host, terminal);
  const conversation = createOwnConversation(host, { isChosen: isConversationChosen(context) });
  await using pictures = createPastedPictures(host.surroundings);
  const chat = createChat({
    host,
    context,
    partner,
    conversation,
    files: { ask: createAsk(terminal), isPasted: (path) => pictures.has(path) },
    guided: createSession(host, context),
    openTurn: async () =>
      (await import('./turn/turn-view.ts')).openTurnView(terminal, region, { input, home }),
  });
  void notice(host, context, input, { partner, conversation });
  host.announce();
  const pastes = { text: mentionDropped, picture: () => pastePicture(pictures, input, err) };
  await using _waiting = showWaitingMessages(host, input, err);
  using _problems = showNewProblems(host, input, err);
  for (;;) {
    const talks = hasModel(partner);
    const line = await input.next({
      prompt: `${err.style.name(talks ? '›' : 'pegboard ›')} `,
      history: history.lines,
      pastes: talks ? pastes : undefined,
      complete: async (text) =>
        (talks ? await completeFile(text, host) : undefined) ??
        (talks || text.startsWith('/')
          ? await completeSlash(text, host, partner.skills)
          : await completeLine(text, host)),
    });
    if (line === undefined) break;
    if (line.trim() !== '') await remember(line, history, host);
    if ((await chat.run(line)) === undefined) return 0;
  }
  err.line();
  return input.hasLeft ? 130 : 0;
}

/** The theme `auto` follows the background that the terminal answers, and pictures are shown where it says that it can. */
function askTerminal(host: Host, terminal: Terminal): void {
  const { err, keyboard, surroundings } = terminal;
  const { env } = surroundings;
  if (!err.stream.hasColors() || env['TERM'] === 'linux') return;
  keyboard.ask(ownGraphics(env) ? ['background'] : ['background', 'cell', 'sixel']);
  terminal.useTheme(() => {
    const { theme } = host.config;
    const { background } = err.answers;
    if (theme !== 'auto' || !background) return theme;
    return isLight(background) ? 'light' : 'dark';
  });
}

/** Runs in the background: the first line can be typed at once. */
async function notice(
  host: Host,
  context: Context,
  input: Input,
  { partner, conversation }: { readonly partner: Partner; readonly conversation: OwnConversation },
): Promise<void> {
  const { terminal, signal } = context;
  const { err } = terminal;
  try {
    if (hasModel(partner)) await conversation.keep();
    const goesOn =
      isConversationChosen(context) || !hasModel(partner)
        ? undefined
        : ((await conversationNotice(host, err)) ?? noneToContinue(context));
    if (goesOn !== undefined && !signal.aborted) input.print([err.style.quiet(goesOn), '']);
    const text = await (hasModel(partner) ? lastTurnNotice(host, err) : localModelNotice(host, partner));
    if (text !== undefined && !signal.aborted) input.print([err.style.warning(text), '']);
  } catch (cause) {
    host.log.warn('the greeting is incomplete', { cause });
  }
}

/** `--continue` was typed, and there is nothing to go on with. */
const noneToContinue = ({ options }: Context): string | undefined =>
  options.flag('continue')
    ? 'No conversation was begun in this folder yet, so this is a new one.'
    : undefined;

/** Undefined where no file is being mentioned. */
async function completeFile(text: string, { surroundings }: Host): Promise<Completion | undefined> {
  if (!text.includes('@')) return undefined;
  const { completeMention } = await import('./files/complete-mention.ts');
  return completeMention(text, surroundings);
}

async function pastePicture(
  pictures: PastedPictures,
  input: Input,
  { style }: Surface,
): Promise<string | undefined> {
  try {
    const taken = await pictures.take();
    if ('mention' in taken) return `${taken.mention} `;
    input.print([style.warning(taken.problem)]);
  } catch (cause) {
    input.print([style.warning(`The picture could not be kept: ${asSentence(fileErrorInWords(cause))}`)]);
  }
  return undefined;
}

/** A home that can't be written to has no history; that is only logged. */
async function remember(line: string, history: InputHistory, host: Host): Promise<void> {
  try {
    await history.add(line);
  } catch (cause) {
    host.log.warn('the history could not be written', { cause });
  }
}
