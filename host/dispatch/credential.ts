import { pegboard } from '../core/own-command.ts';
import type { WhyUnset } from '../core/secrets/why-unset.ts';
import type { ModuleBlock } from '../api/agent.ts';
import type { Credential, RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import type { Redactor } from '../core/secrets/redact.ts';

export interface CredentialSource {
  readonly resolve?: (name: string) => string | undefined;
  readonly whyUnset?: WhyUnset | undefined;
  /** Registers the value before the tool gets it. */
  readonly redactor: Redactor;
}

/** The credential that the agent's file names for the tool's module, with its value. Throws PEG_MISSING_VARIABLE when it is not set. */
export function credentialFor(
  { id, source }: RegisteredTool,
  block: ModuleBlock | undefined,
  { resolve, redactor, whyUnset }: CredentialSource,
): Credential | undefined {
  const name = block?.credential;
  if (name === undefined) return undefined;
  const value = resolve?.(name);
  if (value === undefined || value === '') {
    throw new PegboardError(
      'PEG_MISSING_VARIABLE',
      `${id} needs the credential ${name} that the agent's file names for ${source.module}, and it is not set. ${whyUnset?.(name) ?? `Store it with \`${pegboard} secret set ${name}\`.`}`,
      { data: { variable: name } },
    );
  }
  redactor.add(name, value);
  return { name, value };
}
