/** A service on which a bot answers, as its plugin has it. */
export interface Bot {
  /** The channel, and the step of set-up. */
  readonly name: 'telegram' | 'discord';
  /** Also the name of the check that asks the service about the token. */
  readonly title: string;
  readonly variable: string;
  /** Lists people who need no pairing. */
  readonly allowedVariable: string;
  readonly option: 'telegram-token-stdin' | 'discord-token-stdin';
  /** Anything else is refused before it is stored. The plugin has the same rule for variables. */
  readonly tokenShape: RegExp;
  /** What a token is, after "This is not". */
  readonly token: string;
  /** Where to get one. */
  readonly hint: string;
}

export const telegram: Bot = {
  name: 'telegram',
  title: 'Telegram',
  variable: 'TELEGRAM_BOT_TOKEN',
  allowedVariable: 'ALLOWED_TELEGRAM_IDS',
  option: 'telegram-token-stdin',
  tokenShape: /^\d+:[\w-]+$/,
  token: 'a token that @BotFather gives: one looks like 123456:ABC-DEF1234',
  hint: 'write /newbot to @BotFather, which gives you its token',
};

export const discord: Bot = {
  name: 'discord',
  title: 'Discord',
  variable: 'DISCORD_BOT_TOKEN',
  allowedVariable: 'ALLOWED_DISCORD_IDS',
  option: 'discord-token-stdin',
  tokenShape: /^[\w-]{18,}\.[\w-]{4,}\.[\w-]{16,}$/,
  token: 'the token of a bot at Discord, which has three parts with dots between them',
  hint: 'make an application under discord.com/developers/applications, which gives you its token under Bot',
};
