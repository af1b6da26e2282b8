/** What could not be read, and how to try again. */
export function Broken({
  what,
  why,
  again,
}: {
  readonly what: string;
  readonly why: string;
  readonly again?: () => void;
}) {
  return (
    <div class="broken" role="alert">
      <p>
        <strong>{what}</strong> {why}
      </p>
      {again && (
        <button type="button" class="small" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
