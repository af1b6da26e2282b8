import type { OutputCase } from './cases.ts';

/** Further formats of calls, by model family, from their published chat templates. */
export const families: readonly OutputCase[] = [
  [
    'Llama with semicolons',
    '{"name": "read_file", "parameters": {"path": "a"}}; {"name": "bash", "parameters": {"command": "ls"}}',
    [
      ['read_file', { path: 'a' }],
      ['bash', { command: 'ls' }],
    ],
  ],
  [
    'Llama with commas',
    '{"name": "read_file", "parameters": {"path": "a"}}, {"name": "bash", "parameters": {"command": "ls"}}',
    [
      ['read_file', { path: 'a' }],
      ['bash', { command: 'ls' }],
    ],
  ],
  [
    'doubled braces outside',
    '{{"name": "read_file", "arguments": {"path": "a"}}}',
    [['read_file', { path: 'a' }]],
  ],
  ['doubled braces', '{{"name": "read_file", "arguments": {{"path": "a"}}}}', [['read_file', { path: 'a' }]]],
  [
    'doubled braces in a tag',
    '<tool_call>\n{{"name": "read_file", "arguments": {"path": "a"}}}\n</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name in an attribute',
    '<tool_call name="read_file">{"path": "a"}</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'name and arguments in attributes',
    '<tool_call name="read_file" arguments=\'{"path": "a"}\'></tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'every argument in an attribute',
    '<tool_call name="read_file" path="a"/>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'an id and a type in attributes',
    '<tool_call id="call_1" type="function">{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name in an attribute with parameters',
    '<tool_call name="read_file"><parameter name="path">a</parameter></tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name in an attribute with elements',
    '<function_call name="read_file"><path>a</path></function_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'upper-case tags',
    '<TOOL_CALL>{"name": "read_file", "arguments": {"path": "a"}}</TOOL_CALL>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'upper-case Qwen-coder',
    '<FUNCTION=read_file><PARAMETER=path>a</PARAMETER></FUNCTION>',
    [['read_file', { path: 'a' }]],
  ],
  [
    '<tool> with JSON',
    '<tool>{"name": "read_file", "arguments": {"path": "a"}}</tool>',
    [['read_file', { path: 'a' }]],
  ],
  ['<tool> with a name', '<tool name="read_file">{"path": "a"}</tool>', [['read_file', { path: 'a' }]]],
  [
    'LangChain’s <tool> and <tool_input>',
    '<tool>read_file</tool>\n<tool_input>{"path": "a"}</tool_input>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a fence inside of JSON in a fence',
    '```json\n{"name": "write_file", "arguments": {"path": "a.md", "content": "# x\\n```js\\nlet a\\n```\\n"}}\n```',
    [['write_file', { path: 'a.md', content: '# x\n```js\nlet a\n```\n' }]],
  ],
  [
    'a fence with line breaks inside of JSON in a fence',
    '```json\n{"name": "write_file", "arguments": {"path": "a.md", "content": "# x\n```js\nlet a\n```\n"}}\n```',
    [['write_file', { path: 'a.md', content: '# x\n```js\nlet a\n```\n' }]],
  ],
  [
    'a fence inside of bare JSON',
    '{"name": "write_file", "arguments": {"path": "a.md", "content": "# x\n```js\nlet a\n```\n"}}',
    [['write_file', { path: 'a.md', content: '# x\n```js\nlet a\n```\n' }]],
  ],
  [
    'a fence inside of JSON in a tag',
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.md", "content": "# x\n```js\nlet a\n```\n"}}</tool_call>',
    [['write_file', { path: 'a.md', content: '# x\n```js\nlet a\n```\n' }]],
  ],
  [
    '{"tool_call": {…}}',
    '{"tool_call": {"name": "read_file", "arguments": {"path": "a"}}}',
    [['read_file', { path: 'a' }]],
  ],
  [
    '{"tool_calls": […]}',
    '{"tool_calls": [{"name": "read_file", "arguments": {"path": "a"}}]}',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Gemini’s functionCall',
    '{"functionCall": {"name": "read_file", "args": {"path": "a"}}}',
    [['read_file', { path: 'a' }]],
  ],
  [
    'GLM with a name and JSON',
    '<tool_call>read_file\n{"path": "a"}\n</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'GLM with a name and JSON on one line',
    '<tool_call>read_file{"path": "a"}</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name with JSON in a fence in a tag',
    '<tool_call>read_file\n```json\n{"path": "a"}\n```\n</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name with JSON in a fence, twice',
    '<tool_call>\nread_file\n```\n{"path": "a"}\n```\n</tool_call>\n<tool_call>now\n```json\n{}\n```</tool_call>',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
  ],
  [
    'Llama with a fence',
    '<function=read_file>\n```json\n{"path": "a"}\n```\n</function>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'a name in an attribute with a fence',
    '<tool_call name="read_file">\n```json\n{"path": "a"}\n```\n</tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Mistral with a fence',
    '[TOOL_CALLS]read_file[ARGS]```json\n{"path": "a"}\n```',
    [['read_file', { path: 'a' }]],
  ],
  [
    'GLM on one line',
    '<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Step 3',
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Step 3, two',
    '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file">\n<steptml:parameter name="path">a</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="now"></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
  ],
  ['Phi-4', 'functools[{"name": "read_file", "arguments": {"path": "a"}}]', [['read_file', { path: 'a' }]]],
  [
    'Phi-4, two',
    'functools[\n  {"name": "read_file", "arguments": {"path": "a"}},\n  {"name": "now", "arguments": {}}\n]',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
  ],
  [
    'Apertus, two',
    '<|tools_prefix|>[{"read_file": {"path": "a"}}, {"now": {}}]<|tools_suffix|>',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
  ],
  [
    'Apertus after thoughts',
    '<|inner_prefix|>hm<|inner_suffix|><|tools_prefix|>[{"read_file": {"path": "a"}}]<|tools_suffix|><|assistant_end|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'LongCat',
    '<longcat_tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</longcat_tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'LongCat with keys and values',
    '<longcat_tool_call>read_file\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a</longcat_arg_value>\n</longcat_tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Functionary 2',
    '<|recipient|>read_file\n<|content|>{"path": "a"}<|stop|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Functionary 2 with its sender',
    '<|from|>assistant\n<|recipient|>read_file\n<|content|>{"path": "a"}<|stop|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Functionary 2 with text',
    '<|from|>assistant\n<|recipient|>all\n<|content|>Looking.<|from|>assistant\n<|recipient|>read_file\n<|content|>{"path": "a"}<|stop|>',
    [['read_file', { path: 'a' }]],
    'Looking.',
  ],
  ['Functionary 3', '>>>read_file\n{"path": "a"}', [['read_file', { path: 'a' }]]],
  [
    'Functionary 3 with text, two',
    '>>>all\nLooking.\n>>>read_file\n{"path": "a"}>>>now\n{}',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
    'Looking.',
  ],
  ['Functionary 3 without its mark', 'read_file\n{"path": "a"}', [['read_file', { path: 'a' }]]],
  ['Mistral without its tokens', 'read_file{"path": "a"}', [['read_file', { path: 'a' }]]],
  [
    'Seed',
    '<seed:tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Seed after thoughts',
    '<seed:think>x<seed:cot_budget_reflect>128</seed:cot_budget_reflect>y</seed:think>\n<seed:tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call><seed:eos>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Command R after thoughts',
    '<|START_THINKING|>hm<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a"}}\n]<|END_ACTION|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Gemma 4 after thoughts',
    '<|channel>thought\nhm\n<channel|><|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'GigaChat',
    '<|function_call|>{"name": "read_file", "arguments": {"path": "a"}}</s>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'GigaChat as a role',
    'function call<|role_sep|>\n{"name": "read_file", "arguments": {"path": "a"}}<|message_sep|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Hunyuan 3',
    '<tool_calls><tool_call>read_file<tool_sep><arg_key>path</arg_key><arg_value>a</arg_value></tool_call></tool_calls>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Hunyuan',
    '<tool_calls>[{"name": "read_file", "arguments": {"path": "a"}}]</tool_calls>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'MiniCPM',
    '<function name="read_file"><param name="path">a</param></function>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Pangu',
    '[unused11][{"name": "read_file", "arguments": {"path": "a"}}][unused12]',
    [['read_file', { path: 'a' }]],
  ],
  [
    'OLMo, two',
    '<function_calls>\nread_file(path="a")\nnow()\n</function_calls>',
    [
      ['read_file', { path: 'a' }],
      ['now', {}],
    ],
  ],
  [
    'Granite 20B',
    '<function_call> {"name": "read_file", "arguments": {"path": "a"}}',
    [['read_file', { path: 'a' }]],
  ],
  ['Cline', '<read_file>\n<path>a</path>\n</read_file>', [['read_file', { path: 'a' }]]],
  [
    'elements',
    '<tool_use>\n<name>read_file</name>\n<arguments>{"path": "a"}</arguments>\n</tool_use>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Claude 2',
    '<function_calls>\n<invoke>\n<tool_name>read_file</tool_name>\n<parameters>\n<path>a</path>\n</parameters>\n</invoke>\n</function_calls>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'HyperCLOVA',
    '<|im_start|>assistant -> tool/function_call\n[{"name": "read_file", "arguments": {"path": "a"}}]<|im_end|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Solar',
    '<|tool_call:begin|>abc<|tool_call:name|>read_file<|tool_call:args|>{"path": "a"}<|tool_call:end|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Solar, with what leads and ends it',
    '<|tool_calls|><|tool_call:begin|>abcdefghij<|tool_call:name|>read_file<|tool_call:args|>{"path": "a"}<|tool_call:end|><|calls|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    "a block of Anthropic's with any id",
    '{"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a"}}',
    [['read_file', { path: 'a' }]],
  ],
  [
    "content of Anthropic's",
    '[{"type": "text", "text": "I will look."}, {"type": "tool_use", "id": "toolu_01A", "name": "read_file", "input": {"path": "a"}}]',
    [['read_file', { path: 'a' }]],
  ],
  [
    "a message of Anthropic's",
    '{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a"}}]}',
    [['read_file', { path: 'a' }]],
  ],
  ['Qwen-Agent', '✿FUNCTION✿: read_file\n✿ARGS✿: {"path": "a"}', [['read_file', { path: 'a' }]]],
  [
    'Apriel',
    '<tool_calls>[{"name": "read_file", "arguments": {"path": "a"}, "id": "1"}]</tool_calls>\n<|end|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'tags of another namespace',
    '<atem:function_calls><atem:invoke name="read_file"><atem:parameter name="path">a</atem:parameter></atem:invoke></atem:function_calls>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Kimi without a section',
    '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Harmony with code',
    '<|channel|>commentary to=functions.read_file code<|message|>{"path": "a"}<|call|>',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Harmony without its tokens',
    'commentary to=functions.read_file json{"path": "a"}',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Harmony without its tokens and with a role',
    'assistantcommentary to=functions.read_file json{"path": "a"}',
    [['read_file', { path: 'a' }]],
  ],
  [
    'DeepSeek without its first token',
    'function<｜tool▁sep｜>read_file\n```json\n{"path": "a"}\n```',
    [['read_file', { path: 'a' }]],
  ],
  [
    'xLAM',
    '```json\n[{"name": "read_file", "arguments": {"path": "a"}}]\n```',
    [['read_file', { path: 'a' }]],
  ],
  ['Gemma in tags', '<tool_code>\nprint(read_file(path="a"))\n</tool_code>', [['read_file', { path: 'a' }]]],
  [
    'ReAct with a text',
    'Thought: x\nAction: bash\nAction Input: ls -l\nObservation: y',
    [['bash', { command: 'ls -l' }]],
    'Thought: x',
  ],
  [
    'Command R of 2024',
    'Action: ```json\n[\n    {\n        "tool_name": "read_file",\n        "parameters": {"path": "a"}\n    }\n]```',
    [['read_file', { path: 'a' }]],
  ],
  [
    'an OpenAI message',
    '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}}]}',
    [['read_file', { path: 'a' }]],
  ],
  [
    'Anthropic’s tool_use',
    '{"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "a"}}',
    [['read_file', { path: 'a' }]],
  ],
  ['NexusRaven', 'Call: read_file(path="a")<bot_end>', [['read_file', { path: 'a' }]]],
];
