import { visibleText } from 'pegboard/channels';

/** The text of a document on one line, without markup and without what people can't see. */
export function plainLine(written: unknown): string {
  if (typeof written !== 'string') return '';
  return visibleText(written)
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, ' ')
    .replaceAll(/\[([^\][]{1,300})\]\([^()\s]{1,1000}\)/g, '$1')
    .replaceAll(/[`*]{1,3}(?=\S)|(?<=\S)[`*]{1,3}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Its first sentences, as many as fit into `longest` characters; of a longer sentence the first words. */
export function firstSentences(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.max(...['. ', '! ', '? ', ': '].map((stop) => text.lastIndexOf(stop, longest - 1)));
  if (end > longest / 4) return text.slice(0, end + 1).replace(/:$/, '');
  const words = text.slice(0, longest - 1);
  return `${words.slice(0, Math.max(words.lastIndexOf(' '), longest / 2)).toWellFormed()}…`;
}

/** A longer text for people, with its lines. */
export const plainText = (written: unknown, longest: number): string => {
  const text = typeof written === 'string' ? visibleText(written).trim() : '';
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
};

/** Summary and description as one text, without saying the same twice. */
export function describe(summary: unknown, description: unknown, longest: number): string {
  const short = plainLine(summary).replace(/\.$/, '');
  const long = plainLine(description);
  if (short === '' || long.toLowerCase().startsWith(short.toLowerCase()))
    return firstSentences(long === '' ? short : long, longest);
  return firstSentences(long === '' ? short : `${short}. ${long}`, longest);
}
