/** A secret in a list, without its value. Types only: the page imports them. */
import type { SecretOrigin } from '../api/store/secrets.ts';

/**
 * Whether a tool gets its secrets without a question. `changed`: another version of it did. `never asks`: no tool of the
 * home asks.
 */
export type Grant = 'given' | 'changed' | 'asks' | 'never asks';

/** Something that names a secret. */
export interface SecretUse {
  /** `setting`: a place in a file of settings. `model`: the key of its provider. `agent`: for the tools of a module. */
  readonly kind: 'tool' | 'server' | 'setting' | 'agent' | 'plugin' | 'model';
  /** Its id; for a setting its place: "serve.token". */
  readonly name: string;
  /** Where a setting is written, from the home: "pegboard.yaml:4". */
  readonly place?: string;
  /** Without the secret it does not work, and it has none. */
  readonly isMissing: boolean;
  /** Of a tool that has to be given it. */
  readonly grant?: ToolGrant;
}

interface ToolGrant {
  readonly state: Grant;
  /** All secrets that giving it one gives. */
  readonly secrets: readonly string[];
  /** The command that gets them. */
  readonly runs?: string;
  /** Identifies the tool as it is: a grant is for that alone. */
  readonly fingerprint: string;
}

export interface DescribedSecret {
  readonly name: string;
  /** Where its value comes from, if it has one. The environment comes before `.env`, and that before the store. */
  readonly from?: 'environment' | '.env' | 'store';
  /** In the store, whether or not that is where its value comes from. */
  readonly stored?: { readonly origin: SecretOrigin; readonly at: string };
  readonly uses: readonly SecretUse[];
}
