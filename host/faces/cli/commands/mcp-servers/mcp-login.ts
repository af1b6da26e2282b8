import type { Run } from '../../command.ts';
import { getServer } from '../../find-server.ts';
import { openUrl } from '../../terminal/open-url.ts';
import { shownLine } from '../../../../core/foreign/shown-text.ts';

export const run: Run = async ({ words: [name = ''], terminal, signal, openHost }) => {
  const { out, err } = terminal;
  const host = await openHost();
  const server = getServer(host, name);
  const { missing } = await server.login((url) => {
    err.line(`Open this address and sign in:\n\n  ${err.style.name(shownLine(url))}\n`);
    if (terminal.interactive && /^https?:/.test(url)) openUrl(url);
  }, signal);
  if (missing.length > 0)
    err.line(`${err.style.warning('not granted:')} ${missing.map(shownLine).join(', ')}`);
  out.line(`${out.style.good('signed in:')} ${name} offers ${server.status().tools} tools`);
};
