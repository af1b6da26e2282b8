import { pegboard } from 'pegboard';
import { visibleText } from 'pegboard/channels';
import { type McpServerConfig, toServerName } from 'pegboard/home';
import {
  credentialsIn,
  isPegboard,
  isSecretOption,
  listOf,
  mayBeSecret,
  membersOf,
  trimmedText,
  wordOf,
} from 'pegboard/kit';
import type { ForeignPerson, ForeignSchedule, ForeignServer, Found, LeftOut } from './foreign-home.ts';
import { hasCredential } from './suspicious.ts';
import { timingProblem } from './timing-problem.ts';

/** When a foreign schedule is due. */
export interface ForeignTiming {
  readonly cron?: string;
  /** An ISO moment. */
  readonly at?: string;
  readonly everyMinutes?: number;
  readonly timezone?: string;
}

export function readSchedule(
  {
    name,
    prompt,
    from,
    chat,
  }: { readonly name: string; readonly prompt: string; readonly from: string; readonly chat?: string },
  timing: ForeignTiming,
): Found<ForeignSchedule> {
  const text = visibleText(prompt).trim();
  const left = (why: string): Found<ForeignSchedule> => ({
    taken: [],
    leftOut: [{ what: `schedule ${name}`, from, why }],
  });
  if (text === '') return left('it has no prompt');
  if (hasCredential(text)) return left('its prompt seems to contain a password, key or token');
  const when = timing.cron ?? timing.at ?? cronOfMinutes(timing.everyMinutes);
  if (when === undefined)
    return left(
      timing.everyMinutes === undefined
        ? 'it has neither a cron expression nor a time'
        : `it runs every ${timing.everyMinutes} minutes, which no cron expression can say: only what divides an hour or a day`,
    );
  const problem = timingProblem(
    visibleText(when),
    timing.timezone ? visibleText(timing.timezone) : undefined,
  );
  if (problem !== undefined) return left(problem);
  const schedule = {
    name,
    from,
    prompt: text,
    when: visibleText(when),
    ...(timing.timezone && { timezone: visibleText(timing.timezone) }),
    ...(chat !== undefined && /^\w+\/-?\d+$/.test(chat) && { chat }),
  };
  return { taken: [schedule], leftOut: [] };
}

/** Undefined unless the interval divides an hour or a day. */
function cronOfMinutes(minutes: number | undefined): string | undefined {
  if (minutes === undefined || !Number.isInteger(minutes) || minutes < 1) return undefined;
  if (minutes === 1) return '* * * * *';
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : undefined;
  if (minutes === 60) return '0 * * * *';
  if (minutes === 1_440) return '0 0 * * *';
  return minutes < 1_440 && minutes % 60 === 0 && 24 % (minutes / 60) === 0
    ? `0 */${minutes / 60} * * *`
    : undefined;
}

/** Names prove nothing, so only ids of Telegram are taken. */
export function readPeople(channel: string, people: readonly unknown[], from: string): Found<ForeignPerson> {
  const entries = [...new Set(people.map((one) => wordOf(one).replace(/^(?:telegram|tg):/i, '')))].filter(
    Boolean,
  );
  const what = `people on ${channel}`;
  if (entries.length === 0) return { taken: [], leftOut: [] };
  if (channel !== 'telegram')
    return { taken: [], leftOut: [{ what, from, why: 'only people on Telegram can be imported' }] };
  const ids = entries.filter((entry) => /^[1-9]\d{0,15}$/.test(entry));
  return {
    taken: ids.map((id) => ({ channel, id, from })),
    leftOut: entries
      .filter((entry) => !ids.includes(entry))
      .map((entry) => ({
        what: `${what}: ${entry}`,
        from,
        why: entry === '*' ? 'it lets everybody in' : 'it is not a numeric id, and names prove nothing',
      })),
  };
}

/** Names of secrets, never their values. */
export const secretLeft = (name: string, from: string): LeftOut => ({
  what: `secret ${name}`,
  from,
  why: 'secrets are not taken',
  command: `${pegboard} secret set ${/^\w+$/.test(name) ? name : 'NAME'}`,
  ...(/^\w+$/.test(name) && { secret: name }),
});

/** Variables and headers with a value of their own become `${NAME}`; a server with a secret elsewhere is left out. */
export function readServer(name: string, written: unknown, from: string): Found<ForeignServer> {
  const { command, args, url, env, headers, cwd, disabled, enabled } = membersOf(written);
  const what = `MCP server ${name}`;
  const left = (why: string): Found<ForeignServer> => ({ taken: [], leftOut: [{ what, from, why }] });
  if (disabled === true || enabled === false) return left('it was switched off');
  const words = listOf(args).map((word) => visibleText(wordOf(word)));
  const secrets: LeftOut[] = [];
  const values = (members: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(membersOf(members)).map(([key, value]) => {
        const text = wordOf(value);
        if (isVariable(text) || !mayBeSecret(key, text)) return [key, visibleText(text)];
        const variable = `${name}_${key}`.replace(/\W+/g, '_').toUpperCase();
        secrets.push(secretLeft(variable, from));
        return [key, `\${${variable}}`];
      }),
    );
  const config: McpServerConfig = {
    ...(trimmedText(command) !== '' && { command: visibleText(trimmedText(command)) }),
    ...(words.length > 0 && { args: words }),
    ...(trimmedText(url) !== '' && { url: visibleText(trimmedText(url)) }),
    ...(trimmedText(cwd) !== '' && { cwd: visibleText(trimmedText(cwd)) }),
    ...(Object.keys(membersOf(env)).length > 0 && { env: values(env) }),
    ...(Object.keys(membersOf(headers)).length > 0 && { headers: values(headers) }),
  };
  if ((config.command === undefined) === (config.url === undefined))
    return left('it needs either a command or an address');
  if (config.url !== undefined && !/^https?:$/.test(URL.parse(config.url)?.protocol ?? ''))
    return left('its address does not begin with http:// or https://');
  if (isPegboard(config)) return left('it is Pegboard itself');
  const place = [config.command ?? '', config.url ?? '', ...words].join(' ');
  if (hasCredential(place) || namesSecret(words) || hasSecretPart(config.url))
    return left(
      `its command or address seems to contain a password, key or token: add it with \`${pegboard} mcp add\``,
    );
  return { taken: [{ name: toServerName(name), written: name, config, from }], leftOut: secrets };
}

/** `--api-key VALUE`, `--token=VALUE`, `API_TOKEN=VALUE`: whatever the value is, unless it names a variable. */
function namesSecret(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const [, name, given] = /^(?:--?)?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined || !isSecretOption(name)) return false;
    const value = given ?? (word.startsWith('-') ? words[at + 1] : undefined);
    return value !== undefined && value !== '' && !value.startsWith('-') && !isVariable(value);
  });
}

/** `user:password@`, and parameters such as `?token=`, of any length. */
function hasSecretPart(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return false;
  const parameters = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))];
  return (
    url.password !== '' ||
    credentialsIn('url', url.href).length > 0 ||
    parameters.some(([name, value]) => isSecretOption(name) && value !== '' && !isVariable(value))
  );
}

const isVariable = (value: string): boolean => /^\$\{\w+\}$/.test(value);
