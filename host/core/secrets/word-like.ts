/** The pairs of letters that make up 95 % of English words in software, by their first letter. */
const pairs = new Map(
  (
    'a:bcdfgiklmnprstuvwxy b:aeilorsu c:acehiklorstu d:adeilorsu e:abcdefgilmnopqrstuvwxy f:aefiloruy g:aeghilnorsu ' +
    'h:aeiortu i:abcdefgklmnoprstvxz j:eos k:aeios l:adeilostuy m:abeimopsuy n:acdefgiklnopstuvy o:abcdfgiklmnoprstuvw ' +
    'p:aehiloprstu q:u r:acdegiklmnorstuvy s:acehiklmopstuy t:acehiloprstuy u:abcdegilmnprst v:aei w:aehinors x:eipt y:anps z:e'
  )
    .split(' ')
    .map((entry) => [entry[0]!, entry.slice(2)]),
);
/** Longer words need a higher share, because random text has 40 % by chance. */
const minShare = (length: number): number => (length > 12 ? 0.8 : 0.65);
const maxWordLength = 24;

/** Abbreviations with digits: "gpt", "v2", "8B", "HS256", "cl100k". */
const short = /^(?:[a-z]{0,3}|[A-Z]{0,3}|[A-Z][a-z]{1,2})(?:\d{1,5}(?:[a-z]{0,2}|[A-Z]{0,2}))?$/;
const minLength = 8;

/** Whether a person composed this text of words, numbers and abbreviations, which key generators don't. */
export function isWordLike(text: string): boolean {
  if (/^(.)\1*$/s.test(text)) return true;
  const parts = text.split(/[^A-Za-z\d]+/).filter((part) => part !== '');
  const odd = parts.filter((part) => !isWord(part));
  const length = odd.reduce((sum, part) => sum + part.length, 0);
  const mixed = parts.filter((part) => /[A-Za-z]/.test(part) && /\d/.test(part)).length;
  // Groups of a licence key are short but numerous.
  return length < minLength && !odd.some((part) => part.length >= minLength) && mixed < 3;
}

function isWord(part: string): boolean {
  if (/^\d+$/.test(part)) return true;
  if (part.length < minLength && short.test(part)) return true;
  const [, letters = ''] = /^([A-Za-z]+)(?:\d{1,4}[a-z]{0,2})?$/.exec(part) ?? [];
  if (letters === '') return false;
  if (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(letters)) return isSpoken(letters);
  const humps = letters.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return letters.length / humps.length >= 3.5 && humps.every((hump) => hump.length < 4 || isSpoken(hump));
}

function isSpoken(letters: string): boolean {
  if (letters.length > maxWordLength) return false;
  const text = letters.toLowerCase();
  if (text.length < 4) return true;
  let common = 0;
  for (let at = 1; at < text.length; at++) if (pairs.get(text[at - 1]!)?.includes(text[at]!)) common++;
  return common / (text.length - 1) >= minShare(text.length);
}
