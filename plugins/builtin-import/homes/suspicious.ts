import { visibleText } from 'pegboard/channels';
import { credentialsIn, findInjectionPatterns } from 'pegboard/kit';

/** Why a foreign text is not taken as a memory. Undefined: it can be. */
export function whyNotRemembered(text: string): string | undefined {
  if (hasCredential(text)) return 'it seems to contain a password, key or token';
  if (findInjectionPatterns({ text }).length > 0) return 'it reads like an order to the model';
  return undefined;
}

/** Whether a text seems to contain a password, key or token: alone, or as `name: value`. */
export function hasCredential(written: string): boolean {
  const text = visibleText(written);
  const words = text.match(/[^\s"'`<>()[\]{},;]+/g) ?? [];
  if (words.some((word) => credentialsIn('', word).length > 0)) return true;
  const pairs = text.matchAll(/([\w.-]{2,60})["'`*]*\s*(?::|=|\bis\b)\s*["'`*]*([^\s"'`<>,;]+)/gi);
  return pairs.some(([, name, value]) => credentialsIn(name!, value!).length > 0);
}
