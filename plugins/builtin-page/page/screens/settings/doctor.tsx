import type { Check } from '../../../settings/wire.ts';
import { Broken } from '../../parts/broken.tsx';
import { spelledOut } from '../../parts/hidden-text.tsx';
import { shortTime } from '../../parts/time.ts';
import { Words } from '../../parts/words.tsx';
import {
  checkAll,
  checkedAllAt,
  checkQuickly,
  isChecking,
  partNames,
  parts,
  partsInOrder,
  type PartState,
} from './checks.ts';

const states = (): readonly (PartState | undefined)[] => partsInOrder.map((part) => parts.value[part]);
const known = (): readonly Check[] => states().flatMap((state) => state?.checks ?? []);

/** "1 check failed, and 3 want a look." */
export function verdict(): string {
  const checks = known();
  if (checks.length === 0) return 'Settings';
  const count = (status: Check['status']): number => checks.filter((one) => one.status === status).length;
  const [failed, warned] = [count('failed'), count('warning')];
  const fails = failed === 0 ? '' : failed === 1 ? '1 check has failed' : `${failed} checks have failed`;
  const wants = warned === 0 ? '' : warned === 1 ? '1 thing wants a look' : `${warned} things want a look`;
  if (fails && wants) return `${fails}, and ${wants}.`;
  if (fails || wants) return `${fails || wants}.`;
  return states().every((state) => state?.checks) ? 'Everything is well.' : 'Everything looks well.';
}

/** The checks of `pegboard doctor`: what is not well first, each with what to do. */
export function Doctor() {
  const checks = known();
  const well = checks.filter(({ status }) => status === 'ok');
  const others = [
    ...checks.filter(({ status }) => status === 'failed'),
    ...checks.filter(({ status }) => status === 'warning'),
  ];
  return (
    <section class="sheet" aria-labelledby="checks">
      <div class="row">
        <h2 id="checks">Checks</h2>
        <span class="grow" />
        <button type="button" class="small" aria-disabled={isChecking.value} onClick={() => void checkAll()}>
          {checkedAllAt.value === undefined ? 'Check everything' : 'Check again'}
        </button>
      </div>
      <Progress />
      {partsInOrder.map((part) => {
        const problem = parts.value[part]?.problem;
        return (
          problem !== undefined && (
            <Broken
              what={`${partNames[part][0]!.toUpperCase()}${partNames[part].slice(1)} could not be checked.`}
              why={problem}
              again={() => void checkQuickly()}
            />
          )
        );
      })}
      {others.length > 0 && (
        <ul class="rows checks">
          {others.map((check) => (
            <Row check={check} />
          ))}
        </ul>
      )}
      {well.length > 0 && (
        <details open={others.length === 0}>
          <summary>{well.length === 1 ? '1 is well' : `${well.length} are well`}</summary>
          <ul class="rows checks">
            {well.map((check) => (
              <Row check={check} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** What is being checked, and what was not checked yet. */
function Progress() {
  const named = (is: (state: PartState | undefined) => boolean): string =>
    partsInOrder
      .filter((part) => is(parts.value[part]))
      .map((part) => partNames[part])
      .join(', ');
  const running = named((state) => state?.isRunning === true);
  const open = named((state) => !state);
  return (
    <p class="quiet" role="status">
      {running !== ''
        ? `Checking… ${running}`
        : open !== ''
          ? `Not checked yet: ${open}. That asks the model for a short answer, connects the servers, and reads the whole database.`
          : checkedAllAt.value !== undefined && `Checked at ${shortTime(checkedAllAt.value)}.`}
    </p>
  );
}

const tones: { readonly [status in Check['status']]: string } = {
  ok: 'good',
  warning: 'warn',
  failed: 'bad',
};

function Row({ check: { name, status, message, fix } }: { readonly check: Check }) {
  return (
    <li>
      <span class={`state ${tones[status]}`}>{status}</span> <b>{spelledOut(name)}</b>
      <p>
        <Words text={spelledOut(message)} />
      </p>
      {fix !== undefined && (
        <p class="fix">
          <Words text={spelledOut(fix)} />
        </p>
      )}
    </li>
  );
}
