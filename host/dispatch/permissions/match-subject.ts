import type { PermissionRule } from '../../api/agent.ts';
import type { Prepared, RegisteredTool } from '../../api/tool.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { matchesGlob } from '../../core/text/glob.ts';
import { mayMatchInside, pathMatcher } from './path-pattern.ts';
import { partsOf } from './rule.ts';

/** A call as rules see it. */
export interface JudgedCall {
  readonly tool: RegisteredTool;
  readonly args: unknown;
  /** The command, real path or address that the call is about. Undefined where the tool doesn't say. */
  readonly subject: string | undefined;
  /** Of a command line: the folder where it starts, absolute and real. */
  readonly cwd?: string | undefined;
  /** Of a command line: whether one of its commands, as words, needs no rule. */
  readonly isFree?: ((command: readonly string[]) => boolean) | undefined;
  /** Of a command line: whether a word, in a folder, names a file outside of the known folders, or a denied one. */
  readonly outOfReach?: Prepared['outOfReach'];
}

/** "domain:example.com", "file: notes/*" */
const named = /^([\w.-]+):\s*(.*)$/s;

/** Why a pattern means nothing for this tool. Undefined for one that does. */
export function whyMeaningless(
  pattern: string,
  { permission, parameters, name }: RegisteredTool,
): string | undefined {
  const [, key] = named.exec(pattern) ?? [];
  switch (permission?.kind) {
    case 'command':
    case 'path':
      return undefined;
    case 'url':
      return key === 'domain'
        ? undefined
        : `calls of ${name} are told apart by their domain, as in (domain:example.com)`;
    case undefined: {
      const known = Object.keys(parameters['properties'] ?? {});
      if (key !== undefined && known.includes(key)) return undefined;
      const names = known.length === 0 ? 'it has none' : `it has ${known.slice(0, 10).join(', ')}`;
      return `calls of ${name} are told apart by an argument, as in (name: pattern); ${names}`;
    }
  }
}

/** Whether a rule with a pattern, for a tool whose patterns aren't commands, allows the call. In doubt it doesn't. */
export function allowsSubject(
  { text, folder, userHome }: PermissionRule,
  { tool, args, subject }: JudgedCall,
): boolean {
  const pattern = partsOf(text).pattern!;
  const [, key, value = ''] = named.exec(pattern) ?? [];
  switch (tool.permission?.kind) {
    case 'path':
      return subject !== undefined && pathMatcher(pattern, { folder, userHome, use: 'allow' })(subject);
    case 'url': {
      const host = hostIn(subject);
      return key === 'domain' && host !== undefined && matchesGlob(value.toLowerCase(), host);
    }
    default: {
      const given = key === undefined ? undefined : argument(args, key);
      return ['string', 'number', 'boolean'].includes(typeof given) && matchesGlob(value, String(given));
    }
  }
}

/** Whether a rule that denies or asks concerns the call. In doubt it does. */
export function concernsSubject(
  { text, folder, userHome }: PermissionRule,
  { tool, args, subject }: JudgedCall,
): boolean {
  const pattern = partsOf(text).pattern!;
  const [, key, value = ''] = named.exec(pattern) ?? [];
  if (whyMeaningless(pattern, tool) !== undefined) return true;
  switch (tool.permission?.kind) {
    case 'path': {
      if (subject === undefined) return true;
      const options = { folder, userHome, use: 'deny' } as const;
      const isInside = tool.permission.readsFolder === true && mayMatchInside(pattern, subject, options);
      return isInside || pathMatcher(pattern, options)(subject);
    }
    case 'url': {
      const host = hostIn(subject);
      const domain = value.toLowerCase().replace(/^\*\./, '');
      return host === undefined || matchesGlob(domain, host) || matchesGlob(`*.${domain}`, host);
    }
    default: {
      const given = argument(args, key!);
      if (given === undefined) return false;
      const written = typeof given === 'string' ? given : toJson(given);
      return matchesGlob(value.toLowerCase(), written.toLowerCase());
    }
  }
}

const hostIn = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.hostname.toLowerCase().replace(/\.$/, '');

const argument = (args: unknown, key: string): unknown =>
  typeof args === 'object' && args !== null && Object.hasOwn(args, key)
    ? (args as { readonly [key: string]: unknown })[key]
    : undefined;
