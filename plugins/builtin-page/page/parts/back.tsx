interface Props {
  /** What the screen is called. Only readers of screens hear it: the list beside this says it too. */
  readonly title: string;
  /** Where the list is. */
  readonly to: string;
  /** "All tools", which a phone shows instead of the list. */
  readonly children: string;
}

/** The way from one thing back to the list of all. */
export const Back = ({ title, to, children }: Props) => (
  <div class="back">
    <h1 class="for-readers">{title}</h1>
    <a href={to}>{children}</a>
  </div>
);

/** The way out of a panel beside a list, which Escape takes as well. */
export const Close = ({ title, to }: Omit<Props, 'children'>) => (
  <div class="back">
    <h1 class="for-readers">{title}</h1>
    <a href={to} aria-keyshortcuts="Escape">
      Close
    </a>
  </div>
);
