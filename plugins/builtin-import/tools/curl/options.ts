import type { OperationConfig } from 'curlconverter/dist/src/curl/opts.js';
import { curlLongOpts, parseArgs } from 'curlconverter/dist/src/curl/opts.js';
import { Word } from 'curlconverter/dist/src/shell/Word.js';
import { CCError } from 'curlconverter/dist/src/utils.js';
import { asSentence, PegboardError } from 'pegboard';
import { nearest } from 'pegboard/channels';
import type { LeftOutTool } from '../tool-plan.ts';
import { textOf } from './shell-words.ts';

/** Options that say what is sent; below them, what curl prints, and what a tool does anyway. */
const taken = new Set(
  `url url-query request get head globoff max-time next
  data data-ascii data-binary data-raw data-urlencode json
  header user basic oauth2-bearer cookie referer user-agent range
  silent show-error include verbose fail fail-with-body compressed buffer progress-bar progress-meter
  styled-output disable keepalive tcp-nodelay`.split(/\s+/),
);

/** Options for which a tool has a way of its own, by the reason. */
const ownWays = {
  'a redirect is followed on the same server only': 'location location-trusted',
  'the answer is the result of the tool':
    'output remote-name remote-header-name output-dir create-dirs dump-header write-out',
  'a tool does that in its own way': `connect-timeout retry retry-delay retry-max-time retry-all-errors
    retry-connrefused max-redirs stderr cookie-jar http1.0 http1.1 http2 http2-prior-knowledge http3 ipv4 ipv6
    keepalive-time limit-rate max-filesize speed-limit speed-time ssl-reqd tlsv1.2 tlsv1.3 raw`,
};
const notTaken = new Map(
  Object.entries(ownWays).flatMap(([why, names]) => names.split(/\s+/).map((name) => [name, why] as const)),
);

export const refuse = (why: string): never => {
  throw new PegboardError('PEG_USAGE', asSentence(`The curl command can't be imported: ${why}`));
};

/** What the options of a command say, and which a tool doesn't have. Throws PEG_USAGE. */
export function readOptions(words: readonly Word[]): {
  readonly config: OperationConfig;
  readonly notTaken: readonly LeftOutTool[];
} {
  const [{ configs }, seen] = parsed(words);
  const [config] = configs;
  if (configs.length > 1) refuse('it has several requests (--next)');
  for (const [name, option] of seen)
    if (!taken.has(name) && !notTaken.has(name))
      refuse(
        `${option}${option === `--${name}` ? '' : ` (--${name})`} can't be part of a tool: files, certificates and proxies are not supported, nor ways to connect or log in that only curl has`,
      );
  return {
    config: config!,
    notTaken: seen
      .filter(([name]) => notTaken.has(name))
      .map(([name, option]) => ({
        what: [option, ...valuesOf(config!, name)].join(' '),
        why: notTaken.get(name)!,
      })),
  };
}

function parsed(words: readonly Word[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs([...words]);
  } catch (cause) {
    if (!(cause instanceof CCError)) throw cause;
    const [said = ''] = cause.message.split('\n');
    const [, option, name] = /^option (--(\S+)): is (?:unknown|ambiguous)$/.exec(said) ?? [];
    if (option === undefined) return refuse(said);
    const [near] = nearest(name!, Object.keys(curlLongOpts));
    return refuse(
      `its option ${option} is not known${near === undefined ? '' : `; did you mean --${near}?`}`,
    );
  }
}

const valuesOf = (config: OperationConfig, name: string): readonly string[] =>
  [(config as unknown as { readonly [option: string]: unknown })[name]]
    .flat()
    .filter((value) => value instanceof Word)
    .map(textOf);
