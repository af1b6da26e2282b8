import type { CommandHandler } from '../../command.ts';
import { getServer } from '../../servers/find-server.ts';
import { openAddressReader } from '../../serving/read-address.ts';
import { openUrl } from '../../terminal/open-url.ts';
import { shownLine } from '../../../core/foreign/shown-text.ts';
import { plural } from '../../../core/text/plural.ts';

export const run: CommandHandler = async ({ words: [name = ''], terminal, signal, openHost }) => {
  const { out, err } = terminal;
  const host = await openHost();
  const server = getServer(host, name);
  using reader = openAddressReader(terminal);
  const show = (url: string): void => {
    err.line(`Open this address and sign in:\n\n  ${err.style.name(shownLine(url))}\n`);
    if (terminal.interactive) openUrl(url, terminal.surroundings);
    else err.line("If the browser ends at a page that it can't open, enter the address of that page here.");
  };
  const { missing } = await server.login(show, { signal, readAddress: reader.read });
  if (missing.length > 0)
    err.line(`${err.style.warning('not granted:')} ${missing.map(shownLine).join(', ')}`);
  out.line(`${out.style.good('signed in:')} ${name} offers ${plural(server.status().tools, 'tool')}`);
};
