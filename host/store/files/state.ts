import { openJsonStore, type JsonStore } from './json-store.ts';

/** Small state of a home without security relevance: data/state.json. */
interface State {
  /** By plugin id, when a reload was requested: ISO 8601. Running hosts see the change. */
  readonly reloads: { readonly [plugin: string]: string };
  /** Declined offers, which are not made again: "ollama". */
  readonly declined: readonly string[];
}

export type StateStore = JsonStore<State>;

const empty: State = { reloads: {}, declined: [] };

export const openState = (path: string, options: { readonly readOnly?: boolean } = {}): StateStore =>
  openJsonStore(path, {
    empty,
    what: 'the declined offers and requested reloads',
    consequence: 'offers are made again',
    ...options,
  });
