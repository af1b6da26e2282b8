import { pegboard } from 'pegboard';
import type { AddedServer, Importable } from 'pegboard/kit';
import { type FormPlace, oneLine, showForm, type Terminal } from 'pegboard/terminal';

/** Those that the person selects; none when cancelled. */
export async function selectServers(
  offered: readonly Importable[],
  message: string,
  place: FormPlace,
): Promise<readonly Importable[]> {
  const picked = await showForm(place, ({ multiselect }, streams) =>
    multiselect({
      ...streams,
      message,
      options: offered.map(({ as, client }) => ({ value: as, label: as, hint: client })),
      required: false,
    }),
  );
  return offered.filter(({ as }) => picked?.includes(as));
}

export function showImported(imported: readonly AddedServer[], { out, err }: Terminal): void {
  out.line(`${out.style.good('imported:')} ${imported.map(({ name }) => name).join(', ')}`);
  for (const { name, written } of imported)
    if (written !== name) err.line(oneLine(`"${written}" is called ${name} here`));
  for (const { name, secrets } of imported)
    if (secrets.length > 0)
      err.line(
        `${name}: what may be a secret was stored as ${secrets.join(', ')}, and its entry refers to it. \`${pegboard} secret list\` shows all.`,
      );
}
