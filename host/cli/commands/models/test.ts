import type { CommandHandler } from '../../command.ts';
import { withCommas } from '../../../core/text/with-commas.ts';
import { shownLine } from '../../../core/foreign/shown-text.ts';
import { writtenConfigFile } from '../../../write-config.ts';
import { askModel, describeFailed } from '../../models/ask-model.ts';
import { describeSet, setModel } from '../../models/set-model.ts';

export const runTest: CommandHandler = async (context) => {
  const { options, terminal, words, signal } = context;
  const host = await context.openHost();
  const { models } = await host.agents();
  const tested = await askModel(models, words[0], { terminal, signal });
  if (options.flag('json')) terminal.json(tested);
  else if (tested.ok) {
    const { model, ms, contextWindow } = tested;
    terminal.out.line(
      `${shownLine(model)} answered in ${(ms / 1000).toFixed(1)} s. Its context window is ${withCommas(contextWindow)} tokens.`,
    );
  } else terminal.err.line(describeFailed(tested, words[0]));
  return tested.ok ? 0 : 1;
};

export const runSet: CommandHandler = async (context) => {
  const { options, terminal, words, signal } = context;
  const host = await context.openHost();
  const anyway = options.flag('anyway');
  const { model, tested } = await setModel(host, words[0]!, { terminal, signal, anyway });
  const isSet = tested === undefined || tested.ok;
  if (options.flag('json')) terminal.json({ model, set: isSet, ...(tested && { test: tested }) });
  else if (isSet) terminal.err.line(describeSet(model, tested, writtenConfigFile(context.home)));
  else {
    terminal.err.line(describeFailed(tested, words[0]));
    terminal.err.line('Nothing was changed. With --anyway the model is set without a test.');
  }
  return isSet ? 0 : 1;
};
