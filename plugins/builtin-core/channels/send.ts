import {
  PegboardError,
  defineTool,
  textResult,
  type Chat,
  type PluginContext,
  type Tool,
  type ToolCall,
} from 'pegboard';
import { originOf } from '../background/origin.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';

interface SendPlan {
  readonly to: Chat;
  /** Real path. */
  readonly file: string | undefined;
}

interface SendArgs {
  readonly text?: string;
  readonly channel?: string;
  readonly chat?: string;
  readonly file?: string;
  readonly artifact?: string;
  readonly buttons?: readonly string[];
}

export function createChannelSend(
  context: Pick<PluginContext, 'artifacts' | 'deliver'>,
  { roots }: FileAccess,
): Tool {
  return defineTool({
    name: 'channel_send',
    title: 'Send message',
    description:
      'Sends a text, a file or choices to a chat: without channel and chat to the one of this conversation. Your answer is sent anyway: use this for files, choices and other chats, and when you work unattended.',
    category: 'messages',
    tags: ['notify', 'message', 'telegram', 'file', 'buttons', 'channel'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    guarded: true,
    timeout: 60,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        text: { type: 'string', maxLength: 20_000, description: 'Markdown.' },
        channel: { type: 'string', minLength: 1, description: 'Name of the channel: telegram, terminal.' },
        chat: { type: 'string', minLength: 1, description: "The channel's own name of the chat." },
        file: { type: 'string', minLength: 1, description: 'A file to send, as a path in the home.' },
        artifact: { type: 'string', minLength: 1, description: 'An artifact to send, by its id.' },
        buttons: {
          type: 'array',
          maxItems: 8,
          items: { type: 'string', minLength: 1, maxLength: 60 },
          description: 'Choices to press; the pressed one comes back as a message.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['channel', 'chat'],
      properties: { channel: { type: 'string' }, chat: { type: 'string' } },
    },
    examples: [{ input: { text: 'The report is done.', file: 'reports/may.pdf' } }],
    async prepare(args: SendArgs, caller) {
      const { text = '', file, artifact, buttons = [] } = args;
      if (text.trim() === '' && file === undefined && artifact === undefined)
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          'There is nothing to send: give text, file or artifact.',
        );
      const { checkFile } = await import('./attachment.ts');
      const checked = file === undefined ? undefined : checkFile(roots, file);
      const things = [
        checked?.path,
        artifact && `artifact ${artifact}`,
        buttons.length > 0 && buttons.join(' | '),
      ];
      const { scope, turn } = caller;
      const to = chatOf(args, { ...caller, turn });
      const own = originOf({ ...caller, turn }).chat;
      const isOwn = own?.channel === to.channel && own.chat === to.chat;
      const elsewhere =
        !isOwn && scope.identity === 'agent'
          ? `It sends to another chat: ${to.channel} ${to.chat}.`
          : undefined;
      const sensitive = [checked?.sensitive, elsewhere].filter((reason) => reason !== undefined).join(' ');
      return {
        preview: [`send to ${to.channel} ${to.chat}`, ...things.filter(Boolean), text].join('\n'),
        ...(sensitive !== '' && { sensitive }),
        plan: { to, file: checked?.path } satisfies SendPlan,
      };
    },
    async execute(args: SendArgs, call) {
      const { to, file }: SendPlan = call.prepared!.plan!;
      const { artifactAttachment, fileAttachment } = await import('./attachment.ts');
      const attachments = [
        ...(file === undefined ? [] : [await fileAttachment(roots, file)]),
        ...(args.artifact === undefined ? [] : [await artifactAttachment(context.artifacts, args.artifact)]),
      ];
      const { text = '', buttons = [] } = args;
      await context.deliver(
        to,
        { text, ...(attachments.length > 0 && { attachments }), ...(buttons.length > 0 && { buttons }) },
        call.signal,
      );
      const { channel, chat } = to;
      return textResult(`Delivered to ${channel} ${chat}.`, { channel, chat });
    },
  });
}

function chatOf({ channel, chat }: SendArgs, call: Pick<ToolCall, 'scope' | 'caller' | 'turn'>): Chat {
  const own = originOf(call).chat;
  if (channel === undefined && own) return own;
  if (channel !== undefined && chat !== undefined) return { channel, chat };
  if (channel !== undefined && own?.channel === channel) return own;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    own
      ? `Which chat of ${channel}? Give chat too.`
      : 'This conversation is in no chat. Give channel and chat, such as telegram and 12345, or terminal and cli.',
  );
}
