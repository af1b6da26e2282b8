/** Of two vectors of one length; NaN where one of them has no direction. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]!, b[at]!];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product / Math.sqrt(squareA * squareB);
}
