import { PegboardError } from '../../../core/errors.ts';
import { pegboard } from '../../../core/own-command.ts';
import { checkName } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { readCurl } from '../../import-tools/curl/read-curl.ts';
import { serverName, uniqueIds } from '../../import-tools/names.ts';
import { offerTools } from '../../import-tools/offer-tools.ts';
import { privateAddressNotes } from '../../import-tools/private-address.ts';
import { collectSecrets } from '../../import-tools/requests/collect-secrets.ts';
import { exampleToTool } from '../../import-tools/requests/example-to-tool.ts';
import { UnusableRequest } from '../../import-tools/requests/request-example.ts';
import { readStdin } from '../../tools/given-text.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

export const run: CommandHandler = async (context) => {
  const { words, rest, options } = context;
  const space = options.value('space') ?? 'personal';
  checkName('a space', space);
  const name = options.value('name');
  if (name !== undefined) checkName('a tool', name);
  const given =
    rest.length > 0 ? rest : words[0] === '-' ? [await readStdin(context.surroundings.stdin)] : words;
  if (given.length === 0)
    throw new PegboardError(
      'PEG_USAGE',
      `Which curl command? Put it in quotes: ${pegboard} import curl "curl https://…". With - it is read from standard input, up to Ctrl-D.`,
    );
  const example = usable(() => readCurl(given));
  const secrets = collectSecrets(serverName(example.url));
  const request = { ...example, ...(name !== undefined && { name }) };
  const tool = usable(() => exampleToTool(request, { secrets, variables: new Map(), uniqueId: uniqueIds() }));
  return await offerTools(
    {
      format: 'curl',
      source: 'the curl command',
      space,
      tools: [tool],
      secrets: secrets.secrets,
      notes: privateAddressNotes([example.url]),
      leftOut: [],
    },
    context,
  );
};

function usable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof UnusableRequest)) throw cause;
    throw new PegboardError('PEG_USAGE', `The curl command can't be imported: ${asSentence(cause.message)}`, {
      cause,
    });
  }
}
