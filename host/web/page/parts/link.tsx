import type { ComponentChildren } from 'preact';

const protocols = ['https:', 'http:', 'mailto:'];

/** A link of somebody else: http, https and mail alone, everything else stays text. It always says where it leads. */
export function ForeignLink({
  href,
  children,
}: {
  readonly href: string;
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
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" title={target.href}>
        {children}
      </a>
      <span class="quiet"> ({target.protocol === 'mailto:' ? target.pathname : target.host})</span>
    </>
  );
}
