import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ManifestDetails, SaveAnswer } from '../../../manifests/wire.ts';
import { get, messageOf, post } from '../../api.ts';
import type { EditorHandle } from '../../editor/editor.tsx';
import { changes, connected } from '../../live/live.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Problem } from '../../parts/problem.tsx';
import { withProof } from '../../proof.ts';
import { encodePath } from '../../router.ts';
import { Conflict } from './conflict.tsx';
import { draftOf, forgetDraft, keepDraft, keepingProblem } from './draft.ts';
import { useJudged } from './judged.ts';
import { afterSaving } from './after-saving.ts';
import { Problems } from './problems.tsx';
import { Shown } from './shown.tsx';
import { TextEditor } from './text-editor.tsx';

/** A manifest: its text, what is wrong with it, and what it would become. */
export function ManifestPage({ file }: { readonly file: string }) {
  const details = useSignal<ManifestDetails | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const read = async (signal?: AbortSignal): Promise<void> => {
    try {
      details.value = await get<ManifestDetails>(`manifest/${encodePath(file)}`, signal);
      problem.value = undefined;
    } catch (cause) {
      if (!signal?.aborted) problem.value = messageOf(cause);
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void read(stop.signal);
    return () => stop.abort();
  }, [changes.value, connected.value]);
  const draft = draftOf(file).value;
  const known = details.value ?? (draft && unread(file));
  return (
    <>
      {problem.value !== undefined && (
        <Broken what={`${file} could not be read.`} why={problem.value} again={() => void read()} />
      )}
      {known && (
        <Manifest
          details={known}
          isRead={details.value !== undefined}
          onRead={(now) => (details.value = now)}
        />
      )}
    </>
  );
}

/** What is known of a manifest with a draft while the host doesn't answer. */
const unread = (path: string): ManifestDetails => ({
  path,
  kind: path.includes('/skills/')
    ? 'skill'
    : path.endsWith('.json')
      ? 'space'
      : path.endsWith('.md')
        ? 'tool'
        : 'agent',
  service: { diagnostics: [] },
});

interface Props {
  readonly details: ManifestDetails;
  /** The host has said so. */
  readonly isRead: boolean;
  readonly onRead: (now: ManifestDetails) => void;
}

function Manifest({ details, isRead, onRead }: Props) {
  const { path: file, kind, stored, locked, service } = details;
  const draft = draftOf(file).value;
  const text = draft?.text ?? stored?.text;
  const editor = useRef<EditorHandle>(null);
  const { answer, problem: unjudged } = useJudged(file, text, changes.value);
  const isConflict = isRead && draft !== undefined && draft.base?.hash !== stored?.hash;
  const saving = useSaving(details, onRead);
  const found = answer.value?.diagnostics ?? [];
  const others = draft
    ? []
    : service.diagnostics.filter(
        (one) => !found.some(({ code, line }) => code === one.code && line === one.line),
      );
  return (
    <article
      aria-label={file}
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
        event.preventDefault();
        if (draft && !isConflict) void saving.save();
      }}
    >
      <header class="lead">
        <h2 class="mono">
          <HiddenText text={file.split('/').at(-1)!} />
        </h2>
        <p class="row tags">
          <span class="tag">{kind}</span>
          {draft && <span class="tag warn">{draft.base ? 'unsaved' : 'not saved yet'}</span>}
        </p>
        <p class="quiet mono origin">
          <HiddenText text={file} />
        </p>
      </header>
      {locked !== undefined && <p class="sheet">Only to be read here. {locked}</p>}
      {details.problem !== undefined && (
        <Broken what="Its text can't be shown." why={`${details.problem}. Mend it in an editor.`} />
      )}
      {isConflict && (
        <Conflict
          file={file}
          base={draft.base?.text ?? ''}
          mine={draft.text}
          theirs={stored}
          onMine={() => keepDraft(file, { text: draft.text, base: stored ?? null })}
          onTheirs={() => forgetDraft(file)}
        />
      )}
      {text === undefined ? (
        details.problem === undefined && (
          <p class="quiet">There is no such file. “New” makes one with a text to begin with.</p>
        )
      ) : (
        <>
          <TextEditor
            file={file}
            kind={kind}
            text={text}
            readText={() => draftOf(file).value?.text ?? stored?.text ?? ''}
            isReadOnly={locked !== undefined}
            diagnostics={found}
            onChange={(next) => change(file, next, stored)}
            handle={editor}
          />
          {locked === undefined && (
            <SaveRow saving={saving} isUnsaved={draft !== undefined} isHeld={isConflict} file={file} />
          )}
          <Problem text={keepingProblem.value ?? ''} />
          <div class="sheet" role="status" aria-label="What is wrong with it">
            {unjudged.value !== undefined ? (
              <p class="bad">It could not be checked: {unjudged.value}</p>
            ) : !answer.value ? (
              <p class="quiet">Checking…</p>
            ) : found.length === 0 ? (
              <p class="good">Nothing is wrong with it.</p>
            ) : (
              <Problems title={titleOf(found.length)} rows={found} editor={editor} />
            )}
            {others.length > 0 && <Problems title="In the running host" rows={others} editor={editor} />}
          </div>
          {answer.value && kind !== 'plugin' && <Shown shown={answer.value.shown} />}
        </>
      )}
    </article>
  );
}

const titleOf = (count: number): string => (count === 1 ? '1 thing to mend' : `${count} things to mend`);

/** What equals the file is no draft any more. */
function change(file: string, text: string, stored: ManifestDetails['stored']): void {
  const base = draftOf(file).value ? draftOf(file).value!.base : (stored ?? null);
  if (base?.text === text && base.hash === stored?.hash) forgetDraft(file);
  else keepDraft(file, { text, base });
}

interface Saving {
  readonly save: () => Promise<void>;
  readonly isBusy: boolean;
  readonly problem: string;
  readonly said: ReturnType<typeof afterSaving> | undefined;
}

function useSaving({ path: file, ...rest }: ManifestDetails, onRead: Props['onRead']): Saving {
  const isBusy = useSignal(false);
  const problem = useSignal('');
  const said = useSignal<Saving['said']>(undefined);
  const save = async (): Promise<void> => {
    const draft = draftOf(file).value;
    if (isBusy.value || !draft) return;
    isBusy.value = true;
    problem.value = '';
    said.value = undefined;
    try {
      const body = { text: draft.text, base: draft.base?.hash ?? null };
      const answer = await withProof(() => post<SaveAnswer>(`manifest/${encodePath(file)}`, body));
      if (!answer) return;
      if (!answer.saved) {
        const { stored: _stored, ...known } = { path: file, ...rest };
        return onRead({ ...known, ...(answer.stored && { stored: answer.stored }) });
      }
      // What was typed meanwhile is a change of what was saved.
      const typed = draftOf(file).value?.text;
      if (typed === undefined || typed === draft.text) forgetDraft(file);
      else keepDraft(file, { text: typed, base: answer.now.stored ?? null });
      onRead(answer.now);
      said.value = afterSaving(answer.now);
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isBusy.value = false;
    }
  };
  return { save, isBusy: isBusy.value, problem: problem.value, said: said.value };
}

interface SaveRowProps {
  readonly saving: Saving;
  readonly isUnsaved: boolean;
  /** Something has to be decided first. */
  readonly isHeld: boolean;
  readonly file: string;
}

function SaveRow({ saving, isUnsaved, isHeld, file }: SaveRowProps) {
  const isAsking = useSignal(false);
  const { save, isBusy, problem, said } = saving;
  return (
    <>
      <div class="row actions">
        <button
          type="button"
          class="main"
          title="Ctrl+S"
          aria-keyshortcuts="Control+S"
          aria-disabled={!isUnsaved || isHeld || isBusy}
          onClick={() => isUnsaved && !isHeld && void save()}
        >
          {isBusy ? 'Saving…' : 'Save'}
          <span class="quiet"> needs a code</span>
        </button>
        <button
          type="button"
          aria-disabled={!isUnsaved}
          onBlur={() => (isAsking.value = false)}
          onClick={() => {
            if (isAsking.value) forgetDraft(file);
            isAsking.value = isUnsaved && !isAsking.value;
          }}
        >
          {isAsking.value ? 'Press again to drop what you typed' : 'Drop changes'}
        </button>
        <span class="quiet">Ctrl+Space offers keys and values, F8 goes to the next problem.</span>
      </div>
      <Problem text={problem} />
      {said && (
        <p class={`sheet ${said.tone}`} role="status">
          <HiddenText text={said.text} />
          {said.link !== undefined && (
            <>
              {' '}
              <a href={said.link}>Try it</a>
            </>
          )}
        </p>
      )}
    </>
  );
}
