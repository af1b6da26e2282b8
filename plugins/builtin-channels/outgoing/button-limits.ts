import type { Button, ChannelDriver, SendOptions } from 'pegboard';

/** The options with as many buttons, and labels as long, as the service shows. */
export function withinLimits(
  options: SendOptions,
  { buttonLimits }: Pick<ChannelDriver, 'buttonLimits'>,
): SendOptions {
  const { buttons, link } = options;
  if (!buttons || !buttonLimits) return options;
  const { label, count = Number.POSITIVE_INFINITY } = buttonLimits;
  const room = link === undefined ? count : count - 1;
  // The last one declines, and choices can be written as a reply.
  const shown = buttons.length > room ? [...buttons.slice(0, room - 1), ...buttons.slice(-1)] : buttons;
  return { ...options, buttons: shown.map((button) => shortened(button, label)) };
}

function shortened({ label, data }: Button, maxLength: number): Button {
  if (label.trim() === '') return { label: '…', data };
  if (label.length <= maxLength) return { label, data };
  return { label: `${label.slice(0, maxLength - 1).toWellFormed()}…`, data };
}
