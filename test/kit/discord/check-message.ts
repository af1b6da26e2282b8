/** How Discord refuses a request. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly more: object;
  constructor(status: number, code: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** "Invalid Form Body", with the member that is wrong. */
export const invalid = (member: string, why: string): Refusal =>
  new Refusal(400, 50_035, 'Invalid Form Body', {
    errors: { [member]: { _errors: [{ code: 'INVALID', message: why }] } },
  });

const members = new Set([
  'content',
  'flags',
  'nonce',
  'enforce_nonce',
  'allowed_mentions',
  'components',
  'message_reference',
  'attachments',
]);

const suppressEmbeds = 1 << 2;
const suppressNotifications = 1 << 12;
const allowedFlags = suppressEmbeds | suppressNotifications;

/** Throws what Discord answers to a message of this form. `files`: the names of those that come with it. */
export function checkMessage(body: any, files: readonly string[] = []): void {
  for (const member of Object.keys(body)) if (!members.has(member)) throw invalid(member, 'unknown here');
  const { content, flags = 0, nonce, components = [], attachments = [], allowed_mentions: mentions } = body;
  if (content !== undefined && typeof content !== 'string') throw invalid('content', 'not a string');
  if (content?.length > 2000) throw invalid('content', 'Must be 2000 or fewer in length.');
  if (content !== undefined && !content.isWellFormed()) throw invalid('content', 'not well-formed');
  if ((flags & ~allowedFlags) !== 0) throw invalid('flags', 'bits that a bot may not set');
  // Not of Discord: it would open the addresses in it by itself.
  if (content !== undefined && (flags & suppressEmbeds) === 0) throw invalid('flags', 'shows previews');
  if (nonce !== undefined && (typeof nonce !== 'string' || nonce.length > 25 || nonce === ''))
    throw invalid('nonce', 'Must be 25 or fewer in length.');
  if (mentions !== undefined && !Array.isArray(mentions.parse)) throw invalid('allowed_mentions', 'no list');
  checkComponents(components);
  for (const { id, filename } of attachments)
    if (files[id] === undefined || filename !== files[id])
      throw invalid('attachments', `no file ${filename}`);
}

function checkComponents(rows: any): void {
  if (!Array.isArray(rows) || rows.length > 5) throw invalid('components', 'Must be 5 or fewer in length.');
  const ids = new Set<string>();
  for (const { type, components } of rows) {
    if (type !== 1 || !Array.isArray(components)) throw invalid('components', 'not an action row');
    if (components.length < 1 || components.length > 5) throw invalid('components', 'between 1 and 5');
    for (const { type, style, label, custom_id: id, url } of components) {
      if (type !== 2 || ![1, 2, 3, 4, 5].includes(style)) throw invalid('components', 'not a button');
      if (typeof label !== 'string' || label.trim() === '' || label.length > 80)
        throw invalid('label', 'Must be between 1 and 80 in length.');
      if (style === 5 ? !/^https?:\/\/.{1,504}$/.test(url) || id !== undefined : url !== undefined)
        throw invalid('url', 'not for this style');
      if (style === 5) continue;
      if (typeof id !== 'string' || id === '' || id.length > 100 || ids.has(id))
        throw invalid('custom_id', 'Must be unique, between 1 and 100 in length.');
      ids.add(id);
    }
  }
}

/** Throws what Discord answers to a list of application commands of this form. */
export function checkCommands(commands: any): void {
  if (!Array.isArray(commands)) throw invalid('commands', 'not a list');
  for (const { name, description, contexts, options = [] } of commands) {
    if (!/^[-_\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase())
      throw invalid('name', 'not a name');
    if (typeof description !== 'string' || description.length < 1 || description.length > 100)
      throw invalid('description', 'Must be between 1 and 100 in length.');
    if (contexts !== undefined && !contexts.every((one: unknown) => [0, 1, 2].includes(one as number)))
      throw invalid('contexts', 'not a list of contexts');
    for (const option of options)
      if (option.type !== 3 || !/^[-_\p{L}\p{N}]{1,32}$/u.test(option.name) || !option.description)
        throw invalid('options', 'not an option');
  }
}
