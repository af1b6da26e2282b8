import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { SourceDocument } from '../../../core/documents/document.ts';
import { shorten } from '../../../core/text/shorten.ts';

/** Texts of which YAML takes what follows ` #` for a comment, which their author may have meant as part of them. */
export function cutByComment(document: SourceDocument, at: string): readonly Diagnostic[] {
  return ['command', 'name', 'description'].flatMap((key): Diagnostic[] => {
    const comment = document.commentAfter(`${at}/${key}`);
    if (!comment) return [];
    const isCommand = key === 'command';
    // "# " after prose is a comment; "#3" is what the author wrote about.
    if (!isCommand && !/^#\S/.test(comment.text)) return [];
    return [
      {
        severity: isCommand ? 'error' : 'warning',
        code: 'cut-by-comment',
        message: `YAML reads ${JSON.stringify(shorten(comment.text, 40))} as a comment, so "${key}" ends before it`,
        path: document.path,
        ...comment.place,
        hint: isCommand
          ? 'put the command in quotes, or the comment on a line of its own'
          : 'put the text in quotes',
      },
    ];
  });
}
