/** A JSON number of any length. Compared by digits, so nothing is rounded. */
export interface Decimal {
  readonly isNegative: boolean;
  /** Without leading and trailing zeros; empty for zero. */
  readonly digits: string;
  /** The value is 0.DIGITS × 10^scale. */
  readonly scale: number;
}

/** Exponents beyond this count as this. */
const maxPower = 1e15;

/** `text` is a JSON number, or a number as JavaScript prints it. */
export function toDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.replace(/^[-+]/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = `${whole}${fraction}`;
  const significant = all.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { isNegative: false, digits, scale: 0 };
  const power = Math.max(-maxPower, Math.min(maxPower, Number(exponent)));
  const scale = power + whole.length - (all.length - significant.length);
  return { isNegative: text.startsWith('-'), digits, scale };
}

/** The same text for all notations of a number. */
export function canonicalNumber(text: string): string {
  const { isNegative, digits, scale } = toDecimal(text);
  return digits === '' ? '0' : `${isNegative ? '-' : ''}${digits}e${scale}`;
}

/** True for 1.0 and 1e3. */
export const isWhole = ({ digits, scale }: Decimal): boolean => scale >= digits.length;

/** Negative if `a` is less than `b`, positive if it is greater. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [first, second] = [signOf(a), signOf(b)];
  if (first !== second) return first - second;
  const size = a.scale === b.scale ? compareDigits(a.digits, b.digits) : a.scale - b.scale;
  return first * size;
}

const signOf = ({ isNegative, digits }: Decimal): number => (digits === '' ? 0 : isNegative ? -1 : 1);

/** Digits after the point: a longer text isn't necessarily greater. */
const compareDigits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

export function isMultiple(value: Decimal, of: Decimal): boolean {
  if (value.digits === '') return true;
  if (of.digits === '') return false;
  const places = (one: Decimal): number => one.scale - one.digits.length;
  const tens = places(value) - places(of);
  // The digits of `value` don't end with zero, so no power of ten divides them.
  if (tens < 0) return false;
  const divisor = BigInt(of.digits);
  return ((BigInt(value.digits) % divisor) * powerOfTen(tens, divisor)) % divisor === 0n;
}

/** 10^exponent modulo `divisor`, for exponents of any size. */
function powerOfTen(exponent: number, divisor: bigint): bigint {
  let [power, square] = [1n % divisor, 10n % divisor];
  for (let left = BigInt(exponent); left > 0n; left >>= 1n) {
    if (left & 1n) power = (power * square) % divisor;
    square = (square * square) % divisor;
  }
  return power;
}
