import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonSchema } from 'pegboard/browser';
import type { DiagnosticRow } from '../../wire.ts';
import { spelledOut } from '../parts/hidden-text.tsx';
import { offersAt } from './complete.ts';
import { colours, languageOf, look } from './look-of-text.ts';

/** What others than the person do in the editor. */
export interface EditorHandle {
  /** Puts the cursor there. Both are from 1. */
  goTo(line: number, column: number): void;
}

export interface EditorProps {
  readonly label: string;
  /** Lines end with "\n". What others change in it can be undone. */
  readonly text: string;
  /** The text as it is now: while somebody types, `text` may be an older one. */
  readonly readText: () => string;
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  /** What keys and values are offered from. */
  readonly schema: JsonSchema | undefined;
  readonly diagnostics: readonly DiagnosticRow[];
  readonly onChange: (text: string) => void;
  readonly handle: RefObject<EditorHandle | null>;
}

/**
 * A text that is edited. Its styles are made by a script, which the policy of the page admits in a shadow tree alone:
 * there they are adopted sheets.
 */
export function Editor(props: EditorProps) {
  const { text, diagnostics, handle } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  /** The newest, for listeners that outlive a rendering. */
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const root = place.current!.shadowRoot ?? place.current!.attachShadow({ mode: 'open' });
    const made = new EditorView({ parent: root, root, state: stateOf(latest) });
    view.current = made;
    handle.current = { goTo: (line, column) => goTo(made, line, column) };
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const at = view.current!;
    const now = latest.current.readText();
    if (at.state.doc.toString() === now) return;
    at.dispatch({
      changes: changeBetween(at.state.doc.toString(), now),
      annotations: [Transaction.remote.of(true), isolateHistory.of('full')],
    });
  }, [text]);
  useEffect(() => {
    const at = view.current!;
    at.dispatch(
      setDiagnostics(
        at.state,
        diagnostics.map((one) => markOf(at.state, one)),
      ),
    );
  }, [diagnostics, text]);
  return <div class="editor" ref={place} />;
}

function stateOf(latest: RefObject<EditorProps>): EditorState {
  const { text, label, isReadOnly, isMarkdown } = latest.current;
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      // Tab leaves the editor, as every field.
      keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
      languageOf(isMarkdown),
      lintGutter(),
      colours,
      look,
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': String(isReadOnly),
        // It can be edited, so it has the focus without this; axe wants it said.
        tabindex: '0',
      }),
      highlightSpecialChars({
        addSpecialChars: /(?![\uFE0F\u200D])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu,
        render: (code) => {
          const mark = document.createElement('span');
          mark.className = 'cm-specialChar';
          mark.textContent = spelledOut(String.fromCodePoint(code));
          return mark;
        },
      }),
      autocompletion({
        override: [
          (context) => {
            const { schema } = latest.current;
            if (!schema) return null;
            const found = offersAt(context.state.sliceDoc(0, context.pos), schema, isMarkdown);
            if (!found || (found.from === context.pos && !context.explicit)) return null;
            const options = found.offers.map(({ label, insert, about }) => ({
              label,
              apply: insert,
              ...(about !== undefined && { info: about }),
            }));
            return { from: found.from, options, validFor: /^[\w./-]*$/ };
          },
        ],
      }),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const isOwn = transactions.some((one) => one.docChanged && !one.annotation(Transaction.remote));
        if (docChanged && isOwn) latest.current.onChange(state.doc.toString());
      }),
    ],
  });
}

/** Leaves out what both begin and end with, so that the cursor stays. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shared = Math.min(before.length, after.length);
  let from = 0;
  while (from < shared && before[from] === after[from]) from++;
  let end = 0;
  while (end < shared - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** A place that the text doesn't have any more is the nearest one. */
function offsetOf({ doc }: EditorState, line: number, column: number): { from: number; to: number } {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  return { from: Math.min(at.to, at.from + Math.max(0, column - 1)), to: at.to };
}

function goTo(view: EditorView, line: number, column: number): void {
  view.dispatch({ selection: { anchor: offsetOf(view.state, line, column).from }, scrollIntoView: true });
  view.focus();
}

function markOf(state: EditorState, { severity, message, hint, line = 1, column = 1 }: DiagnosticRow) {
  return {
    ...offsetOf(state, line, column),
    severity: severity === 'error' ? ('error' as const) : ('warning' as const),
    message: spelledOut(hint === undefined ? message : `${message}: ${hint}`),
  };
}
