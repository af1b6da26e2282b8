/** Where conversations of a source are held, in words. */
const places: { readonly [source: string]: string } = {
  cli: 'the terminal',
  telegram: 'Telegram',
  discord: 'Discord',
  schedule: 'a schedule',
  watcher: 'a watcher',
  agent: 'another agent’s turn',
  web: 'this page',
};

export const placeOf = (source: string): string => (Object.hasOwn(places, source) ? places[source]! : source);
