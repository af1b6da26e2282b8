import { asSentence, pegboard, PegboardError } from 'pegboard';
import { checkName } from 'pegboard/kit';
import { type CommandHandler, readStdin } from 'pegboard/terminal';
import { readCurl } from '../tools/curl/read-curl.ts';
import { serverName, uniqueIds } from '../tools/names.ts';
import { offerTools } from '../tools/offer-tools.ts';
import { privateAddressNotes } from '../tools/private-address.ts';
import { collectSecrets } from '../tools/requests/collect-secrets.ts';
import { exampleToTool } from '../tools/requests/example-to-tool.ts';
import { UnusableRequest } from '../tools/requests/request-example.ts';

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
      identity: `${example.method} ${tool.manifest.http!.url}`,
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
