import type { Check } from '../api/diagnostic.ts';
import { failed } from '../status/check.ts';
import type { SecretStore } from '../store/secrets/secrets.ts';

/** Why secrets can't be read. */
export const checkSecrets = ({ diagnostics }: Pick<SecretStore, 'diagnostics'>): readonly Check[] =>
  diagnostics.map(({ message }) =>
    failed('secrets', message, 'whatever needs a secret counts it as not set until then'),
  );
