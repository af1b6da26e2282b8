import type { ComponentChildren } from 'preact';

const protocols = ['https:', 'http:', 'mailto:'];

/** A link of somebody else: http, https and mail alone, everything else stays text. Its whole address is visible. */
export function ForeignLink({
  href,
  isShown = false,
  children,
}: {
  readonly href: string;
  /** Its words are the address. */
  readonly isShown?: boolean;
  readonly children: ComponentChildren;
}) {
  const target = URL.parse(href);
  if (!target || !protocols.includes(target.protocol))
    return (
      <span>
        {children} <span class="quiet">({href})</span>
      </span>
    );
  return (
    <>
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!isShown && <span class="quiet"> ({target.href})</span>}
    </>
  );
}
