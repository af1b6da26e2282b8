import type { Content } from '../../../api/result.ts';
import type { Image } from '../images/image-faults.ts';
import { imageTypeOf } from '../images/image-type.ts';

export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: string };
    };

/**
 * Blocks as parts of a user message. Unsupported content becomes a text that names it, so that the model can say so.
 */
export function toParts(content: readonly Content[]): WirePart[] {
  return content.map((block) => {
    const image = block.type === 'image' ? imageTypeOf(block) : undefined;
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

export const isShownImage = (block: Content): block is Image =>
  block.type === 'image' && imageTypeOf(block) !== undefined;

/** Whether models accept the declared type. */
const isCalledShown = (mimeType: string): boolean =>
  /^image\/(?:png|jpe?g|gif|webp)\b/i.test(mimeType.trim());

function imageText(block: Image): string {
  const type = imageTypeOf(block);
  if (type !== undefined) return `[image, ${type}]`;
  return isCalledShown(block.mimeType)
    ? `[image, ${block.mimeType}, not shown: its data is not a valid image of this type]`
    : `[image, ${block.mimeType}, not shown: models do not accept this type]`;
}

const audioFormats: { readonly [mimeType: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** One block as text. */
export function blockText(block: Content): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return imageText(block);
    case 'audio':
      return `[audio, ${block.mimeType}]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource': {
      const { uri, text } = block.resource as { uri: string; text?: unknown };
      return typeof text === 'string' ? `[${uri}]\n${text}` : `[binary resource ${uri}]`;
    }
    default:
      return '[content of an unknown type]';
  }
}

export const textOf = (content: readonly Content[]): string => content.map(blockText).join('\n\n');
