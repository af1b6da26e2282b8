/** Answers of models that hold a call which can't be read completely, and the text that is left of them. */
export type UnreadableAnswer = readonly [title: string, output: string, left?: string];

export const unreadable: readonly UnreadableAnswer[] = [
  ['broken JSON in a tag', '<tool_call>\n{"name": "shell", "arguments": {"command": "a" "b"}}\n</tool_call>'],
  ['words in a tag', '<tool_call>\nread the file a\n</tool_call>'],
  ['nothing in a tag', '<tool_call>\n</tool_call>'],
  ['broken bare JSON', '{"name": "shell", "arguments": {"command": "a" "b"}}'],
  ['broken JSON in a fence', '```json\n{"name": "shell", "arguments": {"command": "a" "b"}}\n```'],
  ['Mistral without JSON', '[TOOL_CALLS]shell[ARGS]command=ls'],
  ['a program', '<|python_tag|>import os\nprint(os.listdir())'],
  ['a cut call', '<tool_call>\n{"name": "shell", "arguments": {"command": "rm -rf /tmp'],
  ['a cut name', '<tool_call>\n{"name": "she'],
  ['a cut list', '[now(), shell(command="ls'],
  ['a cut line', 'shell(command="rm -rf /'],
  ['cut bare JSON', '{"name": "shell", "arguments": {"command": "rm'],
  [
    'one of two',
    '<tool_call>{"name": "now", "arguments": {}}</tool_call>\n<tool_call>{"name": }</tool_call>',
  ],
  ['an object cut inside its arguments', '{"name": "shell", "arguments": {"command": {"a": 1}'],
  ['ReAct without JSON', 'Action: read-file\nAction Input: the first three lines of a'],
  ['unknown tokens', '<|tool_calls_start|>shell("ls")<|tool_calls_end|>'],
  [
    'two objects of arguments',
    '<tool_call>{"name": "shell", "arguments": {"command": "a"}, "only": "tmp"}</tool_call>',
  ],
];

/** Next to other text, in an answer that is parsed for calls. */
export const unclear: readonly UnreadableAnswer[] = [
  ['a computed argument', '[shell(command=f"rm {folder}")]'],
  ['a list', '- <tool_call>{"name": "shell", "arguments": {"command": "a"}}</tool_call>', '-'],
  [
    'a warning',
    'Do NOT do this:\n<tool_call>{"name": "shell", "arguments": {"command": "a"}}</tool_call>',
    'Do NOT do this:',
  ],
];

/** Prose, code blocks and JSON that are no calls. */
export const answers: readonly string[] = [
  'The answer is 42.',
  'A `<tool_call>` tag holds JSON, and <|im_end|> ends a turn.',
  'The <tool_call> tag holds JSON.',
  '```js\nconst a = { name: "read-file", run() {} };\n```',
  '```python\nread_file(path="a")\n```\nThat reads the file.',
  '```json\n{"name": "Ada", "arguments": ["a", "b"]}\n```',
  '{"name": "Ada", "age": 36}',
  '[{"name": "read-file", "size": 3}, {"name": "now", "size": 4}]',
  '{"tools": [{"name": "shell", "parameters": {"type": "object", "properties": {}}}]}',
  '{"type": "function", "function": {"name": "shell", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}}',
  '<details>\n<summary>More</summary>\nText.\n</details>',
  '<tool>\n<name>Hammer</name>\n<price>3</price>\n</tool>',
  '<function name="area">\n  return 1\n</function>',
  'For example, a call would look like this:\n```json\n{"name": "shell", "arguments": {"command": "ls"}}\n```\nShall I?',
  'Write:\n\n```xml\n<tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>\n```\n\nand wait.',
  '{{ name }} is {{ value }}',
  '{{"a": 1}}',
  'shell (in Unix) runs commands.',
  'now() gives the time, and read-file(path) reads.',
  'Action: read the file\nAction Input: none',
  '> <tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>\n\nThat is what it said.',
  'all\nof them',
  'function call: a call of a function.',
];
