import type { ServerRow, ServerState } from '../../../servers/wire.ts';
import { shortTime } from '../../parts/time.ts';

const tones: { readonly [state in ServerState]: 'good' | 'warn' | 'bad' | 'quiet' } = {
  connected: 'good',
  connecting: 'warn',
  'held back': 'warn',
  'needs a login': 'warn',
  failed: 'bad',
  'never connected': 'quiet',
  'not started': 'quiet',
  closed: 'quiet',
  off: 'quiet',
};

/** Its colour says the same as its word. */
export const State = ({ state }: { readonly state: ServerState }) => (
  <span class={`state ${tones[state]}`}>{state}</span>
);

const meanings: { readonly [state in ServerState]: string } = {
  connected: 'Connected',
  connecting: 'Connecting',
  'held back': 'Connected, but what is new or has changed is not used before you accept it',
  'needs a login': 'It wants you to log in',
  failed: 'It does not work',
  'never connected': 'It has never been connected, so its tools are not known',
  'not started': 'Its tools are known from an earlier connection; the first call of one starts it',
  closed: 'It is closed',
  off: 'It is turned off: nothing of it runs, and its tools are not there',
};

/** What the state means, and since when it is so. */
export function meaningOf({ state, since }: Pick<ServerRow, 'state' | 'since'>): string {
  const began = since === undefined ? '' : ` Since ${shortTime(Date.parse(since))}.`;
  return `${meanings[state]}.${began}`;
}

/** "12 tools, 2 held back" */
export function countsOf({ tools, held }: Pick<ServerRow, 'tools' | 'held'>): string {
  const offered = tools === 1 ? '1 tool' : `${tools.toLocaleString()} tools`;
  return held === 0 ? offered : `${offered}, ${held.toLocaleString()} held back`;
}
