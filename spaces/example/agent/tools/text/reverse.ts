export interface ReverseArguments {
  readonly text: string;
  readonly by: 'letters' | 'words';
}

/** Arguments come checked, with defaults filled in. A string, an object or MCP content goes back. */
export function reverse({ text, by }: ReverseArguments): string {
  if (by === 'words') return text.split(/\s+/).toReversed().join(' ');
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    .toReversed()
    .join('');
}
