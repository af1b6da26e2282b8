import type { Content } from '../../api/result.ts';

export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: string };
    };

/** Blocks as parts of a user's message. What no model takes is named in words, so that the model can say so. */
export function toParts(content: readonly Content[]): WirePart[] {
  return content.map((block) => {
    const image = block.type === 'image' ? imageType(block.mimeType) : undefined;
    if (block.type === 'image' && image !== undefined) {
      return { type: 'image_url', image_url: { url: `data:${image};base64,${block.data}` } };
    }
    const format = block.type === 'audio' ? audioFormats[block.mimeType] : undefined;
    if (block.type === 'audio' && format) {
      return { type: 'input_audio', input_audio: { data: block.data, format } };
    }
    return { type: 'text', text: blockText(block) };
  });
}

/** Of the kinds that providers take; any other makes them refuse the whole conversation, now and in every turn after. */
function imageType(mimeType: string): string | undefined {
  const [plain = ''] = mimeType.toLowerCase().split(';');
  const type = plain.trim() === 'image/jpg' ? 'image/jpeg' : plain.trim();
  return ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(type) ? type : undefined;
}

export const isShownImage = (block: Content): boolean =>
  block.type === 'image' && imageType(block.mimeType) !== undefined;

const audioFormats: { readonly [mimeType: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** One block in words. */
export function blockText(block: Content): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[image, ${block.mimeType}${isShownImage(block) ? '' : ', which models are not shown'}]`;
    case 'audio':
      return `[audio, ${block.mimeType}]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource': {
      const { uri, text } = block.resource as { uri: string; text?: unknown };
      return typeof text === 'string' ? `[${uri}]\n${text}` : `[binary resource ${uri}]`;
    }
    default:
      return '[content of an unknown kind]';
  }
}

export const textOf = (content: readonly Content[]): string => content.map(blockText).join('\n\n');
