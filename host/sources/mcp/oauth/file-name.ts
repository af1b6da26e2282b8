/** A file name for any server name; two names never share one. */
export function fileNameFor(server: string): string {
  return `${encodeURIComponent(server).replaceAll('*', '%2A').replaceAll('.', '%2E')}.json`;
}
