import { placesBefore } from '../../home-environment.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import type { SetupPlace } from './step.ts';

/** Stores a secret of the owner. False, and said: a variable of its name comes before it, with another value. */
export async function storeSecret(
  name: string,
  value: string,
  { host, home, terminal }: SetupPlace,
): Promise<boolean> {
  await host.secrets.set(name, value, 'owner');
  const places = placesBefore({ home, name, value }, host.surroundings);
  if (places === undefined) return true;
  const { err } = terminal;
  err.line(
    err.style.warning(
      `${name} is stored, but ${shownLine(places)} has another one, which comes first: remove it there.`,
    ),
  );
  return false;
}
