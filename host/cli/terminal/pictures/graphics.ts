import type { TerminalAnswers } from '../answers.ts';

/** How a terminal is sent a picture: kitty's graphics protocol, iTerm2's inline images, or sixel. */
export type Graphics = 'kitty' | 'iterm' | 'sixel';
type OwnGraphics = Exclude<Graphics, 'sixel'>;

const programs: { readonly [name: string]: OwnGraphics } = {
  ghostty: 'kitty',
  'iTerm.app': 'iterm',
  WezTerm: 'iterm',
  mintty: 'iterm',
};
const terminals: { readonly [name: string]: OwnGraphics } = {
  'xterm-kitty': 'kitty',
  'xterm-ghostty': 'kitty',
};

/**
 * Undefined for a terminal that isn't known to show pictures. What it has answered counts more than the environment, which
 * terminals pass on to others that are started in them.
 */
export function graphicsOf(environment: NodeJS.ProcessEnv, answers: TerminalAnswers): Graphics | undefined {
  return ownGraphics(environment) ?? ((answers.sixel ?? hasSixel(environment)) ? 'sixel' : undefined);
}

/** A protocol that shows a picture as it is, without changing its size and colours first. */
export function ownGraphics(environment: NodeJS.ProcessEnv): OwnGraphics | undefined {
  const { TERM = '', TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID } = environment;
  if (isInMultiplexer(environment)) return undefined;
  if (TERM_PROGRAM) return programs[TERM_PROGRAM];
  // iTerm2 passes this one on over ssh.
  if (LC_TERMINAL === 'iTerm2') return 'iterm';
  return terminals[TERM] ?? (KITTY_WINDOW_ID && TERM.startsWith('xterm') ? 'kitty' : undefined);
}

/** Konsole has it since 22.04. Others that may have it, such as xterm and Windows Terminal, have to be asked. */
function hasSixel(environment: NodeJS.ProcessEnv): boolean {
  const { TERM = '', TERM_PROGRAM, KONSOLE_VERSION } = environment;
  if (isInMultiplexer(environment)) return false;
  if (/^(?:foot|mlterm|contour|yaft)\b/.test(TERM)) return true;
  return !TERM_PROGRAM && TERM.startsWith('xterm') && Number(KONSOLE_VERSION) >= 220400;
}

/** tmux and screen keep back what they don't show themselves. */
const isInMultiplexer = ({ TERM = '', TMUX, STY }: NodeJS.ProcessEnv): boolean =>
  Boolean(TMUX || STY) || /^(?:tmux|screen)/.test(TERM);

/** Whether a link is shown as one, or else ignored. */
export const hasLinks = ({ TERM = '' }: NodeJS.ProcessEnv): boolean => !/^(?:|dumb|linux)$/.test(TERM);
