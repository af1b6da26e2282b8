import { program } from '../program.ts';

/** How this browser gets in. */
export function SignedOut({ why }: { readonly why: string }) {
  return (
    <main class="signed-out">
      <section class="sheet">
        <img src="/icon.svg" alt="" width={36} height={36} />
        <h1>Pegboard</h1>
        <p role="alert">{why}</p>
        <p>Run this in a terminal, in the folder of your home. It opens the page signed in:</p>
        <pre>{program.value} dashboard</pre>
      </section>
    </main>
  );
}
