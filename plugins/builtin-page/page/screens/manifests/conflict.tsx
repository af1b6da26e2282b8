import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StoredText } from '../../../manifests/wire.ts';
import { messageOf, post } from '../../api.ts';
import { Diff } from '../../parts/diff.tsx';
import { Problem } from '../../parts/problem.tsx';
import { encodePath } from '../../router.ts';

interface Props {
  readonly file: string;
  /** What was opened; empty for a new manifest. */
  readonly base: string;
  readonly mine: string;
  /** What is on disk; undefined when it was deleted. */
  readonly theirs: StoredText | undefined;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** The file isn't what was opened any more: both changes of it, and the choice between them. */
export function Conflict({ file, base, mine, theirs, onMine, onTheirs }: Props) {
  return (
    <section class="sheet ask" role="alert" aria-labelledby="conflict">
      <h3 id="conflict">
        {theirs
          ? 'The file has changed on disk since you opened it'
          : 'The file was deleted since you opened it'}
      </h3>
      <p>Nothing was overwritten. Compare both, and choose what you go on with.</p>
      {theirs && <Change file={file} title="What has changed on disk" before={base} after={theirs.text} />}
      <Change file={file} title="What you have changed" before={base} after={mine} />
      <div class="row answers">
        <button type="button" onClick={onMine}>
          Go on with mine
        </button>
        <button type="button" onClick={onTheirs}>
          {theirs ? 'Take what is on disk' : 'Drop mine'}
        </button>
        <span class="quiet">
          {theirs
            ? 'Mine replaces it when you save. What is on disk replaces the text below, which Ctrl+Z undoes.'
            : 'Mine makes the file again when you save.'}
        </span>
      </div>
    </section>
  );
}

interface ChangeProps {
  readonly file: string;
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** Milliseconds without a change after which it is compared again. */
const waitMs = 300;

function Change({ file, title, before, after }: ChangeProps) {
  const diff = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const stop = new AbortController();
    const compare = async (): Promise<void> => {
      try {
        const answer = await post<{ readonly diff: string }>(
          `manifest-diff/${encodePath(file)}`,
          { before, after },
          stop.signal,
        );
        diff.value = answer.diff;
        problem.value = '';
      } catch (cause) {
        if (!stop.signal.aborted) problem.value = messageOf(cause);
      }
    };
    const timer = setTimeout(() => void compare(), diff.value === undefined ? 0 : waitMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [before, after]);
  return (
    <>
      <h4>{title}</h4>
      <Problem text={problem.value} />
      {before === after ? (
        <p class="quiet">Nothing.</p>
      ) : (
        diff.value !== undefined && <Diff text={diff.value} label={title} />
      )}
    </>
  );
}
