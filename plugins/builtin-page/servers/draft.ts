import { hash } from 'node:crypto';
import type { Host } from 'pegboard/embed';
import { asWritten, commandOf, type NewServer, valueIn } from 'pegboard/home';
import { canonicalJson, referencesIn } from 'pegboard/kit';
import type { DraftRow } from './wire.ts';

/** A server that a person wants to add, put together and not yet written. */
export interface Draft {
  readonly server: NewServer;
  /** Secrets that were typed for its inputs, by the variables that its entry refers to. */
  readonly typed: ReadonlyMap<string, string>;
  /** Of its variables, by name. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** What the person is to read before they add it. It has no secret. */
export function toDraftRow({ server, typed, descriptions }: Draft, host: Host): DraftRow {
  const { config, secrets } = asWritten(server, host);
  const { args = [], url = '', env = {}, headers = {}, cwd } = config;
  const stored = [...new Set([...typed.keys(), ...secrets.keys()])];
  const value = valueIn(host);
  const named = [
    ...new Set([...args, url, ...Object.values(env), ...Object.values(headers)].flatMap(referencesIn)),
  ];
  const shown = {
    name: server.as,
    runs: commandOf(config),
    ...(cwd !== undefined && { cwd }),
    values: Object.entries({ ...env, ...headers }).map(([name, text]) => ({ name, value: text })),
    secrets: stored,
  };
  return {
    ...shown,
    gets: named
      .filter((name) => !stored.includes(name))
      .map((name) => {
        const description = descriptions.get(name);
        return {
          name,
          isSet: value(name) !== undefined,
          ...(description !== undefined && { description }),
        };
      }),
    shown: hash('sha256', canonicalJson({ shown, config })),
  };
}
