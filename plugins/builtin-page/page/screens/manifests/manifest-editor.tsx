import agentSchema from '../../../../../schemas/agent.schema.json' with { type: 'json' };
import skillSchema from '../../../../../schemas/skill.schema.json' with { type: 'json' };
import toolSchema from '../../../../../schemas/tool.schema.json' with { type: 'json' };
import type { JsonSchema } from 'pegboard/browser';
import { Editor } from '../../editor/editor.tsx';
import type { TextEditorProps } from './text-editor.tsx';

const schemas: { readonly [kind: string]: JsonSchema } = {
  agent: agentSchema,
  skill: skillSchema,
  tool: toolSchema,
};

/** The text of a manifest. The line ends of its file stay. */
export function ManifestEditor({ file, kind, text, readText, onChange, ...rest }: TextEditorProps) {
  const hasCrLf = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  return (
    <Editor
      {...rest}
      label={`Text of ${file}`}
      text={withLf(text)}
      readText={() => withLf(readText())}
      isMarkdown={file.endsWith('.md')}
      schema={schemas[kind]}
      onChange={(next) => onChange(hasCrLf ? next.replaceAll('\n', '\r\n') : next)}
    />
  );
}

const withLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
