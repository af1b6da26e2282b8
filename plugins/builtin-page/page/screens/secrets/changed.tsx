import { useEffect, useRef } from 'preact/hooks';
import type { SecretChange } from '../../../secrets/wire.ts';
import { serverPath } from '../../router.ts';
import { program } from '../../program.ts';

/** What holds after the last act. It gets the focus, because the form of the act has gone. */
export function Changed({ change }: { readonly change: SecretChange | undefined }) {
  const at = useRef<HTMLDivElement>(null);
  useEffect(() => at.current?.focus(), [change]);
  if (!change) return null;
  const { message, startedBefore } = change;
  return (
    <div ref={at} class="sheet" role="status" tabIndex={-1}>
      <p class="good">{message}</p>
      {startedBefore.map(({ kind, name }) =>
        kind === 'server' ? (
          <p>
            <a href={serverPath(name)}>{name}</a> goes on with the value that it was started with, until you
            connect it again.
          </p>
        ) : (
          <p>
            The plugin {name} goes on with the value that it was started with;{' '}
            <code>
              {program.value} plugins reload {name}
            </code>{' '}
            starts it again.
          </p>
        ),
      )}
    </div>
  );
}
