import { pegboard, type PluginContext } from 'pegboard';
import type { ChannelFailure, Trouble } from '../failure.ts';

/** An account whose token is in a variable of the home. plugin.yaml lists both variables as optional. */
export interface AccountOptions {
  /** "CHATTER_TOKEN" */
  readonly token: string;
  /** Whether a text may be a token, without asking the service. */
  readonly isToken: (text: string) => boolean;
  /** What the owner should have set, after "is not": "the token of a bot". */
  readonly wanted: string;
  /** How to get a token: "get the token from @BotFather". */
  readonly source: string;
  /** The variable with the address of another server, for tests: "CHATTER_API_ROOT". */
  readonly root: string;
  /** The address of the service, if that is not set. */
  readonly usualRoot: string;
}

/** What a driver needs to talk to the service. */
export interface AccountAccess {
  readonly token: string;
  /** Without a slash at its end. */
  readonly root: string;
}

export interface ChannelAccount {
  /** Absent without a token, or with a text that is none. */
  readonly access?: AccountAccess;
  /** Why the account can't be used, though it is configured. */
  readonly fault?: Trouble;
  /** The service doesn't know the token. */
  readonly unknownToken: Trouble;
  /** The variable with the address of another server. */
  readonly root: string;
}

/** Reads the variables of an account. */
export function readAccount(
  context: Pick<PluginContext, 'variable'>,
  { token: variable, isToken, wanted, source, root, usualRoot }: AccountOptions,
): ChannelAccount {
  const fix = `${source}, then: ${pegboard} secret set ${variable} (a variable of this name in the environment comes first)`;
  const unknownToken = { message: `does not know this ${variable}`, fix };
  const token = context.variable(variable);
  if (!token) return { unknownToken, root };
  if (!isToken(token))
    return { unknownToken, root, fault: { message: `can't be used: ${variable} is not ${wanted}`, fix } };
  const address = (context.variable(root) || usualRoot).replace(/\/+$/, '');
  return { unknownToken, root, access: { token, root: address } };
}

/** What a failure means for the owner of the channel. */
export function troubleOf(
  { kind, message: reason, seconds, status, trouble }: ChannelFailure,
  account: ChannelAccount | undefined,
): Trouble {
  if (trouble) return trouble;
  if (kind === 'busy') return { message: `asks to wait ${Math.ceil(seconds!)} s` };
  if (status === 401 && account) return account.unknownToken;
  if (kind === 'refused') return { message: `refused: ${reason}` };
  const andRoot = account ? `, and check ${account.root} if it is set` : '';
  if (status !== undefined)
    return {
      message: `has a problem of its own: it answered ${status} (${reason})`,
      fix: `try again later${andRoot}`,
    };
  return { message: `can't be reached (${reason})`, fix: `check the network${andRoot}` };
}
