/** A unique file name for each server name. */
export function fileNameFor(server: string): string {
  return `${encodeURIComponent(server).replaceAll('*', '%2A').replaceAll('.', '%2E')}.json`;
}
