import type { RefObject } from 'preact';
import type { ManifestKind } from '../../../manifests/wire.ts';
import type { DiagnosticRow } from '../../../wire.ts';
import type { EditorHandle } from '../../editor/editor.tsx';
import { laterPart } from '../../later.tsx';
import { Broken } from '../../parts/broken.tsx';

const loaded = laterPart(async () => (await import('./manifest-editor.tsx')).ManifestEditor);

export interface TextEditorProps {
  readonly file: string;
  readonly kind: ManifestKind;
  /** As it is in the file. */
  readonly text: string;
  /** As it is now: while somebody types, `text` may be an older one. */
  readonly readText: () => string;
  readonly isReadOnly: boolean;
  readonly diagnostics: readonly DiagnosticRow[];
  readonly onChange: (text: string) => void;
  readonly handle: RefObject<EditorHandle | null>;
}

/** The editor, whose code is loaded with the first text. */
export function TextEditor(props: TextEditorProps) {
  const { component, problem, begin } = loaded;
  if (component.value) {
    const Loaded = component.value;
    return <Loaded {...props} />;
  }
  if (problem.value === undefined) begin();
  return problem.value === undefined ? (
    <p class="quiet editor">Loading…</p>
  ) : (
    <Broken what="The editor could not be loaded." why={problem.value} again={begin} />
  );
}
