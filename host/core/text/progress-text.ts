import type { Progress } from '../../api/tool.ts';

/** Beyond this, a percentage says more than two numbers. */
const maxCounted = 1_000;

/** How far a call is, for people: "3/10 · reading", "52 % · reading", "reading". Empty where it said neither. */
export function progressText({ progress, total, message = '' }: Progress): string {
  return [total === undefined ? '' : shareText(progress, total), message]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Nothing for numbers that are no share. */
function shareText(progress: number, total: number): string {
  const isShare = Number.isFinite(total) && progress >= 0 && total > 0;
  if (!isShare) return '';
  const isCounted = Number.isInteger(progress) && Number.isInteger(total) && total <= maxCounted;
  if (isCounted) return `${Math.min(progress, total)}/${total}`;
  return `${Math.floor(Math.min(progress / total, 1) * 100)} %`;
}
