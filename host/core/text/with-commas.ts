/** An integer as "12,345". By hand: the first use of `Intl` reads the data of every language, 8 MB and 20 ms. */
export function withCommas(integer: number): string {
  return String(integer).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
