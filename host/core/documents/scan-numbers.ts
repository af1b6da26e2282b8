const endsNumber = new Set([',', ']', '}', ' ', '\n', '\r', '\t']);

/** A list or object that is being read, and its next member. */
interface Place {
  readonly holder: object;
  key: string;
}

/**
 * Calls `onNumber` for every number in `text`, in order, with the list or object of `root` that contains it, its key
 * and its source. `root` is the result of `JSON.parse(text)`. Not recursive, so nesting can be of any depth.
 */
export function scanNumbers(
  text: string,
  root: unknown,
  onNumber: (holder: object, key: string, source: string) => void,
): void {
  const open: Place[] = [];
  /** The last string, which is a key if a colon follows. */
  let read = '';
  const valueHere = (): unknown => {
    const place = open.at(-1);
    return place ? (place.holder as { readonly [key: string]: unknown })[place.key] : root;
  };
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    if (character === '"') {
      const end = endOfText(text, at);
      read = text.slice(at, end);
      at = end;
      continue;
    }
    if (character === '-' || (character >= '0' && character <= '9')) {
      let end = at + 1;
      while (end < text.length && !endsNumber.has(text[end]!)) end++;
      const place = open.at(-1);
      if (place) onNumber(place.holder, place.key, text.slice(at, end));
      at = end;
      continue;
    }
    if (character === ':') open.at(-1)!.key = JSON.parse(read) as string;
    else if (character === '{') open.push({ holder: valueHere() as object, key: '' });
    else if (character === '[') open.push({ holder: valueHere() as object, key: '0' });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') next(open.at(-1)!);
    at++;
  }
}

function next(place: Place): void {
  if (Array.isArray(place.holder)) place.key = String(Number(place.key) + 1);
}

/** The offset after the closing quote. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}
