/** An integer as "12,345". Avoids `Intl`, whose first use loads the data of all languages: 8 MB and 20 ms. */
export function withCommas(integer: number): string {
  return String(integer).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
