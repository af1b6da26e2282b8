import type { OutputCase } from './cases.ts';

const read = (path: string, lines?: number): [string, object] => [
  'read_file',
  lines === undefined ? { path } : { path, lines },
];
const bash = (command: string): [string, object] => ['bash', { command }];
const weather = (city: string): [string, object] => ['get_weather', { city }];

/** What models write when they call tools, format by format. */
export const calls: readonly OutputCase[] = [
  // <tool_call> with JSON
  [
    'Hermes',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    [read('a.txt')],
  ],
  [
    'on one line',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>',
    [read('a.txt')],
  ],
  [
    'arguments first',
    '<tool_call>{"arguments": {"path": "a.txt"}, "name": "read_file"}</tool_call>',
    [read('a.txt')],
  ],
  [
    'text before',
    'I will look.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    [read('a.txt')],
    'I will look.',
  ],
  [
    'text before and after',
    'First.\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\nThen we see.',
    [read('a')],
    'First.\n\nThen we see.',
  ],
  [
    'two blocks',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>\n<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>',
    [read('a'), bash('ls')],
  ],
  [
    'two in one block',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n{"name": "read_file", "arguments": {"path": "b"}}\n</tool_call>',
    [read('a'), read('b')],
  ],
  [
    'a list in a block',
    '<tool_calls>[{"name": "read_file", "arguments": {"path": "a"}}, {"name": "bash", "arguments": {"command": "ls"}}]</tool_calls>',
    [read('a'), bash('ls')],
  ],
  ['no end tag', '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}', [read('a')]],
  [
    'no end tag between two',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>',
    [read('a'), bash('ls')],
  ],
  [
    'a wrong end tag',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</function_call>',
    [read('a')],
  ],
  [
    'the end of a message as end tag',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}<|im_end|>',
    [read('a')],
  ],
  [
    'parameters instead of arguments',
    '<tool_call>{"name": "read_file", "parameters": {"path": "a"}}</tool_call>',
    [read('a')],
  ],
  [
    'arguments as JSON in a string',
    '<tool_call>{"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}</tool_call>',
    [read('a')],
  ],
  ['no arguments at all', '<tool_call>{"name": "list_tools"}</tool_call>', [['list_tools', {}]]],
  [
    'arguments null',
    '<tool_call>{"name": "list_tools", "arguments": null}</tool_call>',
    [['list_tools', {}]],
  ],
  [
    'arguments beside the name',
    '<tool_call>{"name": "wipe", "only": "tmp"}</tool_call>',
    [['wipe', { only: 'tmp' }]],
  ],
  [
    'arguments beside the function',
    '<tool_call>{"function": {"name": "read_file"}, "arguments": {"path": "a"}}</tool_call>',
    [read('a')],
  ],
  [
    'OpenAI in a tag',
    '<tool_call>{"type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}}</tool_call>',
    [read('a')],
  ],
  [
    'a fence in a tag',
    '<tool_call>\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n</tool_call>',
    [read('a')],
  ],
  [
    'an end tag in a string',
    '<tool_call>{"name": "bash", "arguments": {"command": "echo \'</tool_call>\'"}}</tool_call>',
    [bash("echo '</tool_call>'")],
  ],
  [
    'HTML in a string',
    '<tool_call>{"name": "bash", "arguments": {"command": "echo <b>hi</b> > x.html"}}</tool_call>',
    [bash('echo <b>hi</b> > x.html')],
  ],
  [
    'a fence in a string',
    '<tool_call>{"name": "bash", "arguments": {"command": "echo \\"```\\""}}</tool_call>',
    [bash('echo "```"')],
  ],
  [
    'function_call',
    '<function_call>{"name": "read_file", "arguments": {"path": "a"}}</function_call>',
    [read('a')],
  ],
  ['Nemotron', '<TOOLCALL>[{"name": "read_file", "arguments": {"path": "a"}}]</TOOLCALL>', [read('a')]],
  ['Granite', '<|tool_call|>[{"name": "read_file", "arguments": {"path": "a"}}]', [read('a')]],
  ['Phi', '<|tool_call|>[{"name": "read_file", "arguments": {"path": "a"}}]<|/tool_call|>', [read('a')]],
  ['LFM2', '<|tool_call_start|>[read_file(path="a")]<|tool_call_end|>', [read('a')]],
  [
    'InternLM',
    'Sure.<|action_start|><|plugin|>\n{"name": "read_file", "parameters": {"path": "a"}}\n<|action_end|>',
    [read('a')],
    'Sure.',
  ],
  [
    'Command R',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a"}}]<|END_ACTION|>',
    [read('a')],
  ],
  [
    'a name with its namespace',
    '<tool_call>{"name": "functions.read_file", "arguments": {"path": "a"}}</tool_call>',
    [read('a')],
  ],
  [
    'a dotted id',
    '<tool_call>{"name": "web.search", "arguments": {"q": "x"}}</tool_call>',
    [['web.search', { q: 'x' }]],
  ],
  [
    'a name that no tool has',
    '<tool_call>{"name": "raed_file", "arguments": {"path": "a"}}</tool_call>',
    [['raed_file', { path: 'a' }]],
  ],
  ['a Python call in a tag', '<tool_call>read_file(path="a", lines=3)</tool_call>', [read('a', 3)]],

  // broken JSON
  [
    'a trailing comma',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a",},}</tool_call>',
    [read('a')],
  ],
  ['single quotes', "<tool_call>{'name': 'read_file', 'arguments': {'path': 'a'}}</tool_call>", [read('a')]],
  ['keys without quotes', '<tool_call>{name: "read_file", arguments: {path: "a"}}</tool_call>', [read('a')]],
  [
    "Python's words",
    '<tool_call>{"name": "set", "arguments": {"on": True, "off": False, "x": None}}</tool_call>',
    [['set', { on: true, off: false, x: null }]],
  ],
  [
    'a line break in a string',
    '<tool_call>{"name": "bash", "arguments": {"command": "a\nb"}}</tool_call>',
    [bash('a\nb')],
  ],
  [
    'backslashes that escape nothing',
    '<tool_call>{"name": "read_file", "arguments": {"path": "C:\\dir\\.x"}}</tool_call>',
    [read('C:\\dir\\.x')],
  ],
  [
    'an escaped single quote',
    '<tool_call>{"name": "bash", "arguments": {"command": "echo it\\\'s"}}</tool_call>',
    [bash("echo it's")],
  ],
  [
    'a comment',
    '<tool_call>{"name": "read_file", /* the one */ "arguments": {"path": "a"}} // done\n</tool_call>',
    [read('a')],
  ],
  [
    'a brace too many',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}}</tool_call>',
    [read('a')],
  ],
  [
    'the last brace missing before the end tag',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a"}</tool_call>',
    [read('a')],
  ],
  [
    'a unicode escape',
    '<tool_call>{"name": "read_file", "arguments": {"path": "\\u00e4"}}</tool_call>',
    [read('ä')],
  ],

  // <function=…>
  ['Llama', '<function=get_weather>{"city": "Paris"}</function>', [weather('Paris')]],
  ['Llama without the bracket', '<function=get_weather{"city": "Paris"}</function>', [weather('Paris')]],
  ['Llama without an end', '<function=get_weather>{"city": "Paris"}', [weather('Paris')]],
  [
    'Llama, two',
    '<function=get_weather>{"city": "Paris"}</function><function=get_weather>{"city": "Rome"}</function>',
    [weather('Paris'), weather('Rome')],
  ],
  [
    'Llama with an end of message',
    '<function=get_weather>{"city": "Paris"}</function><|eom_id|>',
    [weather('Paris')],
  ],
  [
    'Qwen-coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n<parameter=lines>\n3\n</parameter>\n</function>\n</tool_call>',
    [read('src/a.ts', 3)],
  ],
  [
    'Qwen-coder without tool_call',
    'Ok.\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>',
    [read('a')],
    'Ok.',
  ],
  [
    'Qwen-coder with the opening forgotten',
    '<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
    [read('a')],
  ],
  [
    'Qwen-coder with an end tag of a parameter forgotten',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na\n<parameter=lines>\n3\n</parameter>\n</function>\n</tool_call>',
    [read('a', 3)],
  ],
  [
    'Qwen-coder with markup in a value',
    '<tool_call>\n<function=bash>\n<parameter=command>\ncat <<EOF > x\n<b>{"a": 1}</b>\nEOF\n</parameter>\n</function>\n</tool_call>',
    [bash('cat <<EOF > x\n<b>{"a": 1}</b>\nEOF')],
  ],
  [
    'Qwen-coder with a number for a text',
    '<function=bash><parameter=command>42</parameter></function>',
    [bash('42')],
  ],
  [
    'Qwen-coder with nothing to say',
    '<tool_call>\n<function=list_tools>\n</function>\n</tool_call>',
    [['list_tools', {}]],
  ],
  [
    'Qwen-coder, two',
    '<tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=read_file>\n<parameter=path>b</parameter>\n</function>\n</tool_call>',
    [read('a'), read('b')],
  ],

  // <invoke>
  [
    'Claude',
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>',
    [read('a')],
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n<parameter name="lines">2</parameter>\n</invoke>\n</minimax:tool_call>',
    [read('a', 2)],
  ],
  [
    'two in one',
    '<function_calls><invoke name="read_file"><parameter name="path">a</parameter></invoke><invoke name="bash"><parameter name="command">ls</parameter></invoke></function_calls>',
    [read('a'), bash('ls')],
  ],
  [
    'DeepSeek 3.2',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n<｜DSML｜parameter name="lines" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [read('a', 3)],
  ],

  // [TOOL_CALLS]
  ['Mistral', '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a"}}]', [read('a')]],
  [
    'Mistral, two',
    '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}, {"name": "bash", "arguments": {"command": "ls"}}]</s>',
    [read('a'), bash('ls')],
  ],
  ['Mistral with [ARGS]', 'Sure[TOOL_CALLS]read_file[ARGS]{"path": "a"}', [read('a')], 'Sure'],
  ['Mistral with ids', '[TOOL_CALLS]read_file[CALL_ID]abcdef123[ARGS]{"path": "a"}', [read('a')]],
  [
    'Mistral with [ARGS], two',
    '[TOOL_CALLS]read_file[ARGS]{"path": "a"}[TOOL_CALLS]bash[ARGS]{"command": "ls"}',
    [read('a'), bash('ls')],
  ],
  ['Mistral with one object', '[TOOL_CALLS]{"name": "read_file", "arguments": {"path": "a"}}', [read('a')]],

  // Llama's Python
  [
    'python_tag with JSON',
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|eom_id|>',
    [weather('Paris')],
  ],
  [
    'python_tag with two',
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "get_weather", "parameters": {"city": "Rome"}}',
    [weather('Paris'), weather('Rome')],
  ],
  ['python_tag with a built-in', '<|python_tag|>get_weather.call(city="Paris")', [weather('Paris')]],
  [
    'a list of calls',
    '[get_weather(city="Paris"), read_file(path="a", lines=2)]',
    [weather('Paris'), read('a', 2)],
  ],
  ['a list after text', 'Here:\n[read_file(path="a")]', [read('a')], 'Here:'],
  [
    'single quotes and True',
    "[set_flag(name='x', on=True, none=None)]",
    [['set_flag', { name: 'x', on: true, none: null }]],
  ],
  [
    'a list and a dictionary',
    '[set_flag(name={"a": [1, 2.5, -3]})]',
    [['set_flag', { name: { a: [1, 2.5, -3] } }]],
  ],
  ['brackets in a string', '[bash(command="echo [a(1)] )")]', [bash('echo [a(1)] )')]],
  ['arguments without names', 'read_file("a", 3)', [read('a', 3)]],
  ['one call alone', 'read_file(path="a")', [read('a')]],
  ['Llama 4', '<|python_start|>[read_file(path="a")]<|python_end|>', [read('a')]],

  // special tokens
  [
    'DeepSeek R1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [read('a')],
  ],
  [
    'DeepSeek V3, two',
    'Ok.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "a"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [read('a'), bash('ls')],
    'Ok.',
  ],
  [
    'DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [read('a')],
  ],
  [
    'DeepSeek with plain bars',
    '<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>read_file\n```json\n{"path": "a"}\n```<|tool_call_end|><|tool_calls_end|>',
    [read('a')],
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_call_begin|>functions.bash:1<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>',
    [read('a'), bash('ls')],
  ],
  [
    'Harmony',
    '<|channel|>analysis<|message|>I need the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a"}<|call|>',
    [read('a')],
  ],
  [
    'Harmony with the recipient first',
    '<|start|>assistant to=functions.read_file<|channel|>commentary <|constrain|>json<|message|>{"path":"a"}<|call|>',
    [read('a')],
  ],
  [
    'Harmony with a preamble',
    '<|channel|>commentary<|message|>Looking.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a"}',
    [read('a')],
    'Looking.',
  ],
  [
    'GLM',
    '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>lines</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
    [read('a', 3)],
  ],
  ['GLM without arguments', '<tool_call>list_tools\n</tool_call>', [['list_tools', {}]]],
  [
    'FunctionGemma',
    '<start_function_call>call:read_file{path:<escape>a b<escape>,lines:3}<end_function_call>',
    [read('a b', 3)],
  ],
  ['Gemma 4', '<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>', [read('a')]],

  // fences and bare JSON
  ['fenced JSON', '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```', [read('a')]],
  [
    'fenced JSON after text',
    'I will read it.\n\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
    [read('a')],
    'I will read it.',
  ],
  ['a fence without a name', '```\n{"tool": "read_file", "args": {"path": "a"}}\n```', [read('a')]],
  [
    'a fence named tool_call',
    '```tool_call\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
    [read('a')],
  ],
  ['a fence that is not closed', '```json\n{"name": "read_file", "arguments": {"path": "a"}}', [read('a')]],
  [
    'a list in a fence',
    '```json\n[{"name": "read_file", "arguments": {"path": "a"}}, {"name": "bash", "arguments": {"command": "ls"}}]\n```',
    [read('a'), bash('ls')],
  ],
  [
    'two fences',
    '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```',
    [read('a'), bash('ls')],
  ],
  ['Gemma tool_code', '```tool_code\nprint(read_file(path="a"))\n```', [read('a')]],
  ['Gemma with its API', '```tool_code\nresult = default_api.read_file(path="a")\n```', [read('a')]],
  [
    'markup in a fence as the last thing',
    'Now:\n```xml\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n```',
    [read('a')],
    'Now:',
  ],
  ['JSON alone', '{"name": "read_file", "arguments": {"path": "a"}}', [read('a')]],
  [
    'JSON alone over lines',
    '{\n  "name": "read_file",\n  "parameters": {\n    "path": "a"\n  }\n}',
    [read('a')],
  ],
  ['JSON after text', 'Reading.\n{"name": "read_file", "arguments": {"path": "a"}}', [read('a')], 'Reading.'],
  [
    'OpenAI alone',
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}}]}',
    [read('a')],
  ],
  ['a list alone', '[{"name": "read_file", "arguments": {"path": "a"}}]', [read('a')]],
  ['the name as the key', '{"read_file": {"path": "a"}}', [read('a')]],
  [
    'ReAct',
    'Thought: I need it.\nAction: read_file\nAction Input: {"path": "a"}',
    [read('a')],
    'Thought: I need it.',
  ],
  [
    'ReAct that makes up its observation',
    'Action: read_file\nAction Input: {"path": "a"}\nObservation: it says hello\nFinal Answer: hello',
    [read('a')],
  ],

  // thinking, made-up results
  [
    'after closed thinking',
    '<think>I should call <tool_call>{"name": "bash", "arguments": {"command": "rm"}}</tool_call></think>\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
    [read('a')],
  ],
  [
    'in thinking that never ends',
    '<think>Let me see.\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
    [read('a')],
    'Let me see.',
  ],
  [
    'after an end of thinking alone',
    'I could <tool_call>{"name": "bash", "arguments": {"command": "rm"}}</tool_call>\n</think>\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
    [read('a')],
  ],
  [
    'with a made-up result after it',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n<tool_response>\nhello\n</tool_response>\nIt says hello.\n<tool_call>{"name": "bash", "arguments": {"command": "rm"}}</tool_call>',
    [read('a')],
  ],
];
