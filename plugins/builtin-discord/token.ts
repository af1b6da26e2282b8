import { pegboard } from 'pegboard';

/** The id of the bot, with which its token begins. Undefined for a text that is no token. */
export function botOf(token: string): string | undefined {
  const [, first] = /^([\w-]{18,})\.[\w-]{4,}\.[\w-]{16,}$/.exec(token) ?? [];
  const id = Buffer.from(first ?? '', 'base64url').toString();
  return /^\d{17,20}$/.test(id) ? id : undefined;
}

export const portal = 'discord.com/developers/applications';

export const tokenFix = `get the token under ${portal}, Bot, then: ${pegboard} secret set DISCORD_BOT_TOKEN (a variable of this name in the environment comes first)`;

/** For a token that Discord need not be asked about. */
export const malformedToken = {
  message: "can't be used: DISCORD_BOT_TOKEN is not the token of a bot",
  fix: tokenFix,
} as const;
