import { isLoopback } from 'pegboard/kit';

/** Most of them are shown as `space.id` in columns. */
const maxIdLength = 48;
const maxParameterLength = 48;

/** Names that mean something else in a template. */
const reserved = new Set('this else true false null undefined as constructor prototype'.split(' '));

/** "listPets", "repos/list_for_user" → "list-pets", "repos-list-for-user". Empty for a text without letters and digits. */
export function toId(text: string): string {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return cut(words ?? []);
}

/** As many words as fit. */
function cut(words: readonly string[]): string {
  let id = '';
  for (const word of words) {
    const next = id === '' ? word.slice(0, maxIdLength) : `${id}-${word}`;
    if (next.length > maxIdLength) break;
    id = next;
  }
  return id;
}

/** A README is no manifest, and Windows keeps the others for devices. */
const notFiles = /^(?:readme|con|prn|aux|nul|com\d|lpt\d)$/;

/** Gives each name once: the second "get" is "get-2". */
export function uniqueIds(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const base = wanted === '' ? 'tool' : wanted;
    let id = base;
    for (let count = 2; taken.has(id) || notFiles.test(id); count++) id = `${base}-${count}`;
    taken.add(id);
    return id;
  };
}

/** Gives parameters names that {{ }} can hold, each once: "filter[state]" is "filter_state". */
export function uniqueParameters(): (wanted: string, place: string) => string {
  const taken = new Set<string>();
  return (wanted, place) => {
    const clean = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '');
    const base = (/^[A-Za-z_]/.test(clean) ? clean : `_${clean}`).slice(0, maxParameterLength);
    const candidates = [base, `${place}_${base}`];
    let name = candidates.find((one) => !taken.has(one) && !reserved.has(one));
    for (let count = 2; name === undefined; count++)
      if (!taken.has(`${place}_${base}_${count}`)) name = `${place}_${base}_${count}`;
    taken.add(name);
    return name;
  };
}

/** "api-example", "token" → "API_EXAMPLE_TOKEN" */
export function toVariable(...parts: readonly string[]): string {
  const name = parts
    .map((part) => toId(part).replaceAll('-', '_'))
    .filter((part) => part !== '')
    .join('_')
    .toUpperCase();
  if (name === '') return 'SECRET';
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}

/** All of a server's host, by which no other has the same secrets: "https://api.github.com/v3" → "github-com". */
export function hostWords(address: string): string {
  const url = URL.parse(address);
  if (url && isLoopback(url)) return 'localhost';
  const host = url?.hostname ?? '';
  return toId(/^[\d.]+$|:/.test(host) ? `host-${host}` : host.replace(/^(?:api|www)\./, ''));
}

/** The name by which people know a server: "https://api.github.com" → "github", "http://10.0.0.7" → "host-10-0-0-7". */
export function serverName(address: string): string {
  const url = URL.parse(address);
  const host = url?.hostname ?? '';
  if (url && isLoopback(url)) return 'localhost';
  if (/^[\d.]+$|:/.test(host)) return toId(`host-${host}`);
  const labels = host.split('.');
  if (labels.length < 2) return toId(host) || 'local';
  const common = /^(?:co|com|org|net|gov|ac)$/;
  const at = labels.length > 2 && common.test(labels.at(-2)!) ? -3 : -2;
  return toId(labels.at(at)!);
}
