/** What went wrong with what the person has just done; nothing for an empty text. Readers say it at once. */
export function Problem({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p class="bad" role="alert">
      {text}
    </p>
  );
}
