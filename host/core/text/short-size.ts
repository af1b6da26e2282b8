/** "850 B", "1.2 kB", "3.4 MB" */
export function shortSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
