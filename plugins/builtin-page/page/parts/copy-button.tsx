import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Milliseconds for which it says that it has copied. */
const saidMs = 1_500;

/** Its width stays the same whatever it says. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const said = useSignal('');
  useEffect(() => {
    if (said.value === '') return undefined;
    const timer = setTimeout(() => (said.value = ''), saidMs);
    return () => clearTimeout(timer);
  }, [said.value]);
  return (
    <button
      type="button"
      class="small steady"
      onClick={() => void copy(text()).then((is) => (said.value = is ? 'Copied' : 'Not allowed'))}
    >
      <span class={said.value ? 'gone' : ''}>{label}</span>
      <span class="over" role="status">
        {said.value}
      </span>
    </button>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure connection there is no clipboard.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return isCopied;
}
