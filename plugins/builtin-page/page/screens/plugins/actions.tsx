import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { FieldProblem } from '../../../wire.ts';
import type { ActionView, ScreenPart, ScreenView } from '../../../screens/wire.ts';
import { ApiError, get, messageOf, post } from '../../api.ts';
import { Fields } from '../../form/fields.tsx';
import { problemsAtFields } from '../../form/problems.ts';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { Problem } from '../../parts/problem.tsx';
import { withProof } from '../../proof.ts';
import { textAt } from './cell.tsx';
import { apiPath } from '../../plugin-links.ts';
import { Sections } from './sections.tsx';

interface Props {
  readonly view: ScreenView;
  /** What it is done to; undefined for what is done to no row. */
  readonly row?: unknown;
  /** With what is said then. */
  readonly onDone: (message: string) => void;
}

/** Whether it is offered for the row. */
const isOffered = ({ on, when = {} }: ActionView, row: unknown): boolean =>
  (on === 'row') === (row !== undefined) &&
  Object.entries(when).every(([member, values]) => values.includes(textAt(row, member)));

/** What can be done: a button each. What has to be shown, filled in or confirmed before opens below. */
export function Actions({ view, row, onDone }: Props) {
  const open = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const offered = view.actions.filter((action) => isOffered(action, row));
  if (offered.length === 0) return null;
  const run = async (action: ActionView, parameters: object): Promise<readonly FieldProblem[]> => {
    if (isBusy.value) return [];
    isBusy.value = true;
    problem.value = '';
    try {
      const body = { ...(row !== undefined && { row: textAt(row, view.key) }), parameters };
      const done = await withProof(() => post<object>(apiPath('screen-action', view, action.name), body));
      if (!done) return [];
      open.value = '';
      onDone(action.done ?? `${action.label}: done.`);
    } catch (cause) {
      if (cause instanceof ApiError && cause.problems.length > 0) return cause.problems;
      problem.value = messageOf(cause);
    } finally {
      isBusy.value = false;
    }
    return [];
  };
  const press = (action: ActionView): void => {
    const isAsking =
      action.parameters !== undefined || action.shows !== undefined || action.confirm !== undefined;
    problem.value = '';
    if (isAsking) open.value = open.value === action.name ? '' : action.name;
    else void run(action, {});
  };
  const asking = offered.find(({ name }) => name === open.value);
  return (
    <div class="acts">
      <div class="row actions">
        {offered.map((action) => (
          <button
            type="button"
            aria-disabled={isBusy.value}
            aria-expanded={action.confirm === undefined ? undefined : action.name === open.value}
            onClick={() => press(action)}
          >
            {action.label}
          </button>
        ))}
      </div>
      <Problem text={problem.value} />
      {asking && (
        <Before
          key={asking.name}
          view={view}
          action={asking}
          row={row}
          isBusy={isBusy}
          run={run}
          onCancel={() => (open.value = '')}
        />
      )}
    </div>
  );
}

interface BeforeProps extends Omit<Props, 'onDone'> {
  readonly action: ActionView;
  readonly isBusy: Signal<boolean>;
  readonly run: (action: ActionView, parameters: object) => Promise<readonly FieldProblem[]>;
  readonly onCancel: () => void;
}

/** What is shown, filled in and asked before something is done. */
function Before({ view, action, row, isBusy, run, onCancel }: BeforeProps) {
  const { label, parameters, shows, confirm = `${label}?`, proof } = action;
  const shown = useSignal<ScreenPart | undefined>(undefined);
  const problem = useSignal('');
  const values = useSignal<object>({});
  const problems = useSignal<readonly FieldProblem[]>([]);
  const title = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const box = useRef<HTMLFormElement>(null);
  useFocusAfter(box, () => document.querySelector<HTMLElement>('.acts button, article h2, h1'));
  useEffect(() => {
    head.current?.focus();
    if (!shows) return;
    const query = row === undefined ? '' : `?row=${encodeURIComponent(textAt(row, view.key))}`;
    get<ScreenPart>(`${apiPath('screen-preview', view, action.name)}${query}`)
      .then((part) => (shown.value = part))
      .catch((cause: unknown) => (problem.value = messageOf(cause)));
  }, []);
  const isReady = !shows || shown.value !== undefined;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isReady) problems.value = await run(action, values.value);
  };
  return (
    <form
      ref={box}
      class="sheet ask"
      aria-labelledby={title}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h3 id={title} ref={head} tabIndex={-1}>
        {confirm}
      </h3>
      {shows && !isReady && problem.value === '' && <p class="quiet">Loading…</p>}
      <Problem text={problem.value} />
      {shows && shown.value && <Sections sections={shows} data={shown.value.data} />}
      {parameters && (
        <Fields
          schema={parameters}
          root={parameters}
          value={values.value}
          at=""
          depth={0}
          problems={problemsAtFields(problems.value)}
          onChange={(next) => (values.value = next)}
        />
      )}
      <div class="row answers">
        <button type="submit" class="main" aria-disabled={isBusy.value || !isReady}>
          {label}
          {proof && <span class="quiet"> needs a code</span>}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
