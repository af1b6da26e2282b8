import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SecretUse } from '../../../secrets/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { agentPath, serverPath, toolPath } from '../../router.ts';

/** Uses that are shown at first. */
const shownFirst = 12;

interface Props {
  readonly uses: readonly SecretUse[];
  readonly title: string;
  /** Below each. */
  readonly more?: (use: SecretUse) => ComponentChildren;
}

/** What names a secret. */
export function Uses({ uses, title, more }: Props) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? uses : uses.slice(0, shownFirst);
  return (
    <div class="uses">
      <p class="quiet">{title}</p>
      <ul>
        {shown.map((use) => (
          <li key={`${use.kind} ${use.name} ${use.place ?? ''}`}>
            <Use use={use} />
            {more?.(use)}
          </li>
        ))}
      </ul>
      {shown.length < uses.length && (
        <button type="button" class="small" onClick={() => (isWhole.value = true)}>
          Show all {uses.length.toLocaleString()}
        </button>
      )}
    </div>
  );
}

const pathOf = ({ kind, name }: SecretUse): string | undefined => {
  switch (kind) {
    case 'tool':
      return toolPath(name);
    case 'server':
      return serverPath(name);
    case 'agent':
      return agentPath(name);
    case 'setting':
      return '/settings';
    case 'plugin':
    case 'model':
      return undefined;
  }
};

function Use({ use }: { readonly use: SecretUse }) {
  const path = pathOf(use);
  const name = <HiddenText text={use.name} />;
  return (
    <>
      <span class="quiet">{use.kind}</span>{' '}
      {path === undefined ? (
        <span class="mono">{name}</span>
      ) : (
        <a class="mono" href={path}>
          {name}
        </a>
      )}
      {use.place !== undefined && (
        <span class="quiet">
          {' '}
          in <HiddenText text={use.place} />
        </span>
      )}
    </>
  );
}
