/** Letters of other scripts that resemble Latin ones and are used to forge names (Unicode TR39, confusables). */
const pairs =
  'aа cс dԁ eе hһ iі jј kк lӏ mм oо pр qԛ sѕ tт uц vѵ wԝ xх yу nп bь ' +
  'aα eε iι kκ nη oο pρ tτ uυ vν wω xχ yγ lǀ lı oօ sꜱ gɡ aɑ';
const foreign = new Map(pairs.split(' ').map(([latin, letter]) => [letter!, latin!]));

/**
 * Whether people would confuse the names: "read_fi1e" and "read_file", with l/1/I, rn/m, doubled separators and letters
 * of other scripts.
 */
export function looksLike(name: string, other: string): boolean {
  return name !== other && skeletonOf(name) === skeletonOf(other);
}

/** Equal for names that look alike. */
export function skeletonOf(name: string): string {
  const plain = /^[\u0020-\u007E]*$/.test(name) ? name : toLatin(name);
  return plain
    .toLowerCase()
    .replace(/[-_./:\s]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('5', 's');
}

/** In lower case, without accents, and with letters of other scripts replaced by the Latin ones that they resemble. */
export const toLatin = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\u0020-\u007E]/gu, (letter) => foreign.get(letter) ?? letter);
