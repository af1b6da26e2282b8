import { HiddenText } from './hidden-text.tsx';

const kinds: { readonly [sign: string]: string } = { '+': 'plus', '-': 'minus', '@': 'where' };

/** A unified diff. The signs stay: colours alone say nothing to some. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={label}>
      {text.split('\n').map((line) => (
        <span class={kinds[line[0] ?? ''] ?? ''}>
          <HiddenText text={line} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
