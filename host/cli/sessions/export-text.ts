import { toJson } from '../../core/documents/written-numbers.ts';
import { plural } from '../../core/text/plural.ts';
import { shortTime } from '../../core/text/short-time.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import { withoutEscapes } from '../terminal/safe.ts';
import type { SessionInfo } from '../../store/conversations/sessions.ts';

/** Everything that is stored of a conversation, but for the bytes of images. */
export const toJsonExport = (session: SessionInfo, messages: readonly StoredMessage[]): object => ({
  ...session,
  messages: messages.map(({ attachments, ...message }) => ({
    ...message,
    attachments: attachments.map((block) =>
      'data' in block ? { type: block.type, mimeType: block.mimeType } : block,
    ),
  })),
});

/**
 * For people, and other programs that read Markdown: each message below a heading, the calls before an answer. Without
 * what is invisible or steers a terminal.
 */
export function toMarkdownExport(session: SessionInfo, messages: readonly StoredMessage[]): string {
  const { id, title, source, externalId, startedAt } = session;
  const about = `Conversation ${id} · ${source}/${externalId} · begun ${shortTime(startedAt)} · ${plural(messages.length, 'message')}`;
  return withoutEscapes(`${[`# ${title}`, about, ...messages.map(toMarkdown)].join('\n\n')}\n`);
}

function toMarkdown({ role, text, at, agent, attachments, toolCalls, stopped }: StoredMessage): string {
  const who = role === 'user' ? 'You' : (agent ?? 'Pegboard');
  const calls = toolCalls.map(({ tool, args, result, ok }) => {
    const fence = fenceFor(result);
    return `- ${ok ? '✓' : '✗'} \`${tool}\` \`${toJson(args ?? {}).replaceAll('`', 'ˋ')}\`\n\n${indented(`${fence}text\n${result}\n${fence}`)}`;
  });
  return [
    `## ${shortTime(at)} · ${who}`,
    ...(attachments.length > 0
      ? [`*With ${plural(attachments.length, 'image or file', 'images or files')}.*`]
      : []),
    ...calls,
    ...(text.trim() === '' ? [] : [text.trimEnd()]),
    ...(stopped === undefined ? [] : [`*${stopped}*`]),
  ].join('\n\n');
}

/** Longer than every run of backticks in the text. */
const fenceFor = (text: string): string =>
  '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
