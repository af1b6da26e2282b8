/** Cosine similarity of two vectors of the same length, from -1 to 1; NaN if either is zero. */
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
