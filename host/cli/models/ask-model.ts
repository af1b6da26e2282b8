import type { Models, Unstored } from '../../agent/models/create-models.ts';
import type { ModelTest } from '../../agent/models/test-model.ts';
import { shownLine, shownText } from '../../core/foreign/shown-text.ts';
import { PegboardError } from '../../core/errors.ts';
import { openSpinner } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Tests a model, or the home's, and shows meanwhile which one is asked. */
export async function askModel(
  models: Models,
  reference: string | undefined,
  {
    terminal,
    signal,
    unstored,
  }: { readonly terminal: Terminal; readonly signal: AbortSignal; readonly unstored?: Unstored | undefined },
): Promise<ModelTest> {
  const name = nameOf(models, reference, unstored);
  using _waiting = openSpinner(terminal, `Asking ${shownLine(name)} for a word`);
  return await models.test(reference, { signal, ...(unstored && { unstored }) });
}

/** What is wrong, and with which model where another name was typed. */
export function describeFailed(
  { model, message }: Extract<ModelTest, { ok: false }>,
  typed: string | undefined,
): string {
  const name = model === undefined || model === typed || message.includes(model) ? '' : `${model}: `;
  return shownText(`${name}${message}`);
}

/** The test says what is wrong with a name. */
function nameOf(models: Models, reference: string | undefined, unstored: Unstored | undefined): string {
  try {
    return models.check(reference, unstored);
  } catch (thrown) {
    if (!(thrown instanceof PegboardError)) throw thrown;
    return reference ?? 'the model';
  }
}
