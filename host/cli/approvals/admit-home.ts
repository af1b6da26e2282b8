import type { User } from '../../core/platform/places.ts';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { givenHome } from '../../home.ts';
import { homeTrust, unknownHome, type HomeTrust } from '../../home-trust.ts';
import { reviewHome } from '../../approvals/trust-home.ts';
import { changedSinceTrusted, knownHome, rememberHome } from '../../store/owner/known-homes.ts';
import type { Command } from '../command.ts';
import { requireOwnData } from '../../store/owner/private-links.ts';
import { checkPlace, makePlace, missingHome, requireFolders } from '../home/check-place.ts';
import { oneLine } from '../terminal/safe.ts';
import { createAsk } from '../terminal/ask.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Parsed } from '../parse.ts';

export interface HomeVisit extends Pick<Parsed, 'options'> {
  readonly command: Command;
  readonly home: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Whether the home is known, after a check that one can be at its path. Commands that do more than read ask about an
 * unknown one first. Throws PEG_USAGE for a place that can't be a home, PEG_DENIED for one that leads to what others keep for
 * themselves, PEG_UNKNOWN_HOME, or PEG_DECLINED after a No.
 */
export async function admitHome({ command, options, home, terminal, signal }: HomeVisit): Promise<HomeTrust> {
  const { surroundings } = terminal;
  if (command.home === 'none') return homeTrust(home, surroundings);
  const isThere = checkPlace(home);
  requireOwnData(home, surroundings);
  const isNamed = givenHome(options.value('home'), surroundings) !== undefined;
  if (!isThere && isNamed && command.home !== 'makes' && !command.hidden) throw missingHome(home);
  if (!isThere && command.home === 'makes') makePlace(home);
  if (command.home === 'makes') requireFolders(home);
  const trust = homeTrust(home, surroundings);
  if (command.home === 'makes' && isEmpty(home, trust, surroundings))
    await remember(home, surroundings, false);
  if (trust === 'known') return trust;
  if (command.home === 'reads') {
    if (trust === 'unknown' && !command.hidden) warnUnknownHome(home, terminal);
    return trust;
  }
  if (trust === 'unknown') await askAboutHome(home, { terminal, signal });
  else if (command.home !== 'makes') await remember(home, surroundings, true);
  return 'known';
}

const isEmpty = (home: string, trust: HomeTrust, user: User): boolean =>
  trust === 'empty' || (trust === 'known' && knownHome(home, user)?.wasEmpty === true);

/** On a read-only disk the answer can't be stored. */
const remember = (home: string, user: User, wasEmpty: boolean): Promise<void> =>
  rememberHome(home, user, { wasEmpty }).catch(() => {});

function warnUnknownHome(home: string, { err, surroundings }: Terminal): void {
  const changed = changedSinceTrusted(home, surroundings).join(' and ');
  const why = changed === '' ? 'is not trusted yet' : `has a changed ${changed}`;
  const said = `This home ${why}, so nothing in it was started: ${oneLine(home)}. \`${pegboard} trust\` shows what it would run, and asks.`;
  err.line(err.style.warning(said));
}

/** Shows what the home would run, asks, and stores a Yes. Throws PEG_UNKNOWN_HOME where there is nobody to ask. */
export async function askAboutHome(
  home: string,
  { terminal, signal }: Pick<HomeVisit, 'terminal' | 'signal'>,
): Promise<void> {
  const ask = createAsk(terminal);
  if (!ask) throw unknownHome(home, terminal.surroundings);
  const trustAsShown = reviewHome(home, terminal.surroundings);
  await showHome(home, terminal);
  const message = `Trust this home, and let what is listed run with your rights? ${home}`;
  const { action } = await ask({ message }, signal);
  if (action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing in it was run.');
  await trustAsShown();
}

export async function showHome(home: string, { err, surroundings }: Terminal): Promise<void> {
  const { homeContents } = await import('../../approvals/home-contents.ts');
  const contents = await homeContents(home, surroundings);
  const changed = changedSinceTrusted(home, surroundings).join(' and ');
  if (changed !== '') err.line(err.style.warning(`${changed} changed since you trusted this home.`));
  err.line(`${err.style.title(oneLine(home))} ${contents.length === 0 ? 'runs nothing yet.' : 'contains:'}`);
  for (const line of contents) err.line(`${err.style.quiet('┃')} ${line}`);
}
