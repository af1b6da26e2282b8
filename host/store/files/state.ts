import { openJsonStore, type JsonStore } from './json-store.ts';

/** The small state of a home that decides nothing: data/state.json. */
interface State {
  /** When a reload of a plugin was asked for, by its id: ISO 8601. Running hosts see the change. */
  readonly reloads: { readonly [plugin: string]: string };
  /** Offers that are not to be made again: "ollama". */
  readonly declined: readonly string[];
}

export type StateStore = JsonStore<State>;

const empty: State = { reloads: {}, declined: [] };

export const openState = (path: string, options: { readonly readOnly?: boolean } = {}): StateStore =>
  openJsonStore(path, {
    empty,
    what: 'what was declined and asked for',
    consequence: 'offers are made again',
    ...options,
  });
