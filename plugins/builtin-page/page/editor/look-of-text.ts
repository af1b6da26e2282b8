import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml';
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from '@lezer/markdown';

/** Without the languages of code blocks and HTML, which would be three times as much to load. */
const markdown = new LanguageSupport(new Language(defineLanguageFacet(), parser, [], 'markdown'));

/** YAML, which JSON is too, or Markdown below YAML. */
export const languageOf = (isMarkdown: boolean): Extension =>
  isMarkdown ? yamlFrontmatter({ content: markdown }) : yaml();

export const colours: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
    { tag: [tags.heading, tags.strong], fontWeight: '650' },
    { tag: tags.emphasis, fontStyle: 'italic' },
    { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--quiet)' },
    { tag: [tags.bool, tags.number, tags.monospace], color: 'var(--good)' },
  ]),
);

export const look: Extension = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--sheet)', fontSize: '0.87rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', minHeight: '12rem', maxHeight: '60vh' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--quiet)', border: '0' },
  '.cm-specialChar': { backgroundColor: 'var(--warn)', color: 'var(--sheet)', borderRadius: '3px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--text)',
    border: '1px solid var(--edge)',
    borderRadius: '6px',
    maxWidth: 'min(28rem, 90vw)',
  },
  '.cm-tooltip.cm-completionInfo': { padding: '0.4rem 0.6rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--text)' },
});
