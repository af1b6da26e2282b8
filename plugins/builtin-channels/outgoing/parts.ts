import type { ChannelDriver, Content, MessageContent, OutgoingFile, StyledMessage } from 'pegboard';
import { splitMarkdown } from 'pegboard/kit';
import { withDrawnTables } from './drawn-tables.ts';

/** A single action in a chat, stored until it is done. */
export type OutgoingPart = Deed & {
  /** "part 2 of 5 of this answer". Set when it is sent again without the others. */
  readonly called?: string;
};

type Deed =
  | (MessageContent & {
      readonly replyTo?: string;
      /** The message that becomes this one, instead of a new one. */
      readonly edits?: string;
      /** Id of the stored answer, on its first part. */
      readonly answer?: number;
    })
  | { readonly kind: 'react'; readonly message: string; readonly emoji: string }
  | { readonly kind: 'delete'; readonly message: string };

export type Renders = Pick<ChannelDriver, 'render' | 'showsMarkdown' | 'maxTextLength'>;

/** Renders messages and files. `title`: the service's name. */
export interface Renderer {
  readonly driver: Renders & Pick<ChannelDriver, 'maxUploadBytes'>;
  readonly title: string;
}

/** An answer that is still being written ends so. */
export const unfinishedMark = ' …';

/** Renders Markdown as the service's messages. Empty if nothing would be visible. */
export function rendered(markdown: string, driver: Renders): readonly StyledMessage[] {
  if (driver.render) return driver.render(markdown);
  const whole = markdown.toWellFormed();
  const shown = driver.showsMarkdown ? withDrawnTables(whole) : whole;
  if (driver.maxTextLength !== undefined)
    return splitMarkdown(shown, driver.maxTextLength - unfinishedMark.length).map((text) => ({ text }));
  const text = shown.trim();
  return text === '' ? [] : [{ text }];
}

/** Markdown as messages. Only the first one can be a reply or replace a draft. */
export function textParts(
  markdown: string,
  driver: Renders,
  {
    replyTo,
    edits,
    answer,
  }: {
    readonly replyTo?: string | undefined;
    readonly edits?: string | undefined;
    readonly answer?: number | undefined;
  } = {},
): OutgoingPart[] {
  return rendered(markdown, driver).map((text, index) => ({
    kind: 'text',
    ...text,
    ...(index === 0 && replyTo !== undefined && { replyTo }),
    ...(index === 0 && edits !== undefined && { edits }),
    ...(index === 0 && answer !== undefined && { answer }),
  }));
}

const megabyte = 1024 * 1024;

/** Images and files that the service accepts. For each other one, a text says why it is missing. */
export function fileParts(content: readonly Content[], { driver, title }: Renderer): OutgoingPart[] {
  const { maxUploadBytes = Number.POSITIVE_INFINITY } = driver;
  return content.flatMap((block): OutgoingPart[] => {
    const file = toFile(block);
    if (!file) return [];
    const bytes = Buffer.byteLength(file.data, 'base64');
    if (bytes > 0 && bytes <= maxUploadBytes) return [{ kind: 'file', ...file }];
    const why =
      bytes === 0
        ? 'is empty'
        : `is larger than the ${Math.floor(maxUploadBytes / megabyte)} MB that ${title} takes`;
    return textParts(`(The file ${file.name} ${why}.)`, driver);
  });
}

function toFile(block: Content): OutgoingFile | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, mimeType } = block;
    return { name: `${block.type}.${mimeType.split('/')[1]?.replace(/\W.*$/, '') ?? 'bin'}`, mimeType, data };
  }
  if (block.type !== 'resource') return undefined;
  const {
    uri,
    text,
    blob,
    mimeType = '',
  } = block.resource as {
    readonly uri: string;
    readonly text?: string;
    readonly blob?: string;
    readonly mimeType?: string;
  };
  const name = uri.split(/[?#]/)[0]!.split('/').at(-1) || 'file';
  if (typeof blob === 'string') return { name, mimeType, data: blob };
  return typeof text === 'string'
    ? { name, mimeType, data: Buffer.from(text).toString('base64') }
    : undefined;
}
