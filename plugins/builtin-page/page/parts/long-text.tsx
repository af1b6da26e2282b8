import { useSignal } from '@preact/signals';
import { HiddenText } from './hidden-text.tsx';

/** Characters and lines that are shown at first: a browser needs seconds to lay out a megabyte. */
const maxLength = 20_000;
const maxLines = 400;

/** Text of any length, of which the rest is shown on request. */
export function LongText({ text, label }: { readonly text: string; readonly label?: string }) {
  const isWhole = useSignal(false);
  const end = isWhole.value ? text.length : endOfShown(text);
  const isCut = end < text.length;
  return (
    <>
      <pre
        class={isWhole.value && text.length > maxLength ? 'whole' : ''}
        tabIndex={0}
        role="region"
        aria-label={label ?? 'Text'}
      >
        {isWhole.value ? (
          chunksOf(text).map((chunk) => (
            <span class="chunk">
              <HiddenText text={chunk} />
            </span>
          ))
        ) : (
          <HiddenText text={text.slice(0, end)} />
        )}
      </pre>
      {isCut && (
        <p class="row">
          <span class="quiet">
            The first {end.toLocaleString()} of {text.length.toLocaleString()} characters.
          </span>
          <button type="button" class="small" onClick={() => (isWhole.value = true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function endOfShown(text: string): number {
  let at = -1;
  for (let line = 0; line < maxLines; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at > maxLength) return Math.min(text.length, maxLength);
  }
  return at;
}

/** Lines in parts that a browser lays out only when they are seen. */
function chunksOf(text: string): readonly string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length;) {
    const near = text.indexOf('\n', start + 8_000);
    const end = near < 0 || near - start > 64_000 ? Math.min(text.length, start + 64_000) : near + 1;
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}
