import type { OutputCase } from './cases.ts';

/** Answers in which nothing is called; the text stays what it is unless another is given. */
export const noCalls: readonly OutputCase[] = [
  ['plain text', 'The answer is 42.', []],
  ['text with angle brackets', 'a < b and b > c, so use <b>bold</b>.', []],
  ['text with brackets', 'See [the docs](https://example.com) and [1].\n[1] is a note.', []],
  ['a Markdown list of links', '[read](a.md)\n[write](b.md)', []],
  ['a program in a fence', 'Try:\n\n```python\nread_file(path="a")\n```', []],
  ['JSON in a fence that is no call', '```json\n{"name": "Ada", "age": 36}\n```', []],
  ['a configuration in a fence', '```json\n{"mcpServers": {"x": {"command": "npx", "args": []}}}\n```', []],
  ['a call of no tool in a fence', '```json\n{"name": "launch", "arguments": {"where": "moon"}}\n```', []],
  [
    'a call within a quotation of several lines',
    'Her message was this. “Run it.\n\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n\nThanks.” It is old.',
    [],
  ],
  [
    'a call within a quotation of another language',
    'Voici. «\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n» Fin.',
    [],
  ],
  [
    'a tool as JSON with its schema',
    '```json\n{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}\n```',
    [],
  ],
  ['a tool with its description', '{"name": "read_file", "description": "Reads", "parameters": {}}', []],
  [
    'an example in a fence',
    'For example, a call would look like this:\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\nShall I?',
    [],
  ],
  [
    'an example with markup',
    'The format is:\n```\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n```\nThat is all.',
    [],
  ],
  [
    'markup in a fence with text after it',
    'Here is what I sent:\n```xml\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n```\nIt failed.',
    [],
  ],
  [
    'markup in inline code',
    'Write `<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>` to call.',
    [],
  ],
  [
    'markup in quotes',
    'You write "<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>" then.',
    [],
  ],
  [
    'markup in a quotation',
    '> <tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>\n\nThat is what was said.',
    [],
  ],
  [
    'markup in an example tag',
    '<example><tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call></example>\nLike so.',
    [],
  ],
  ['a tag that is spoken of', 'The <tool_call> tag holds JSON.', []],
  ['an empty tag', '<tool_call></tool_call> is empty.', []],
  ['JSON in the middle of a line', 'I sent {"name": "read_file", "arguments": {"path": "a"}} before.', []],
  ['JSON as the answer', '{"city": "Paris", "temperature": 20}', []],
  ['a list as the answer', '[1, 2, 3]', []],
  ['a list of objects as the answer', '[{"name": "Ada"}, {"name": "Bob"}]', []],
  ['JSON with the name of a tool but no arguments', '{"name": "read_file", "size": 3}', []],
  ['a call of no tool in Python', '[launch(where="moon")]', []],
  ['a list with an expression', '[read_file(path=base + "a")]', []],
  ['a function that is spoken of', 'read_file(path) reads a file.', []],
  ['a function in the middle', 'I would use read_file(path="a") here.', []],
  ['an Action that is none', 'Action: think harder\nand then rest.', []],
  [
    'only thoughts',
    '<think>I should call <tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call> or not</think>Done.',
    [],
    'Done.',
  ],
  [
    'Harmony without a call',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>',
    [],
    'Hello.',
  ],
];

/** Cut off in the middle: a name may come through, its arguments are never JSON. */
export const cutOffs: readonly (readonly [string, string])[] = [
  ['in a string', '<tool_call>\n{"name": "bash", "arguments": {"command": "rm -rf /tmp/a'],
  ['after a string', '<tool_call>\n{"name": "bash", "arguments": {"command": "rm -rf /tmp/a"'],
  ['after the arguments', '<tool_call>\n{"name": "bash", "arguments": {"command": "rm"}'],
  ['in a number', '<tool_call>\n{"name": "read_file", "arguments": {"lines": 1'],
  ['in the name', '<tool_call>\n{"name": "ba'],
  [
    'in a string, with an end tag',
    '<tool_call>\n{"name": "bash", "arguments": {"command": "rm -rf /tmp</tool_call>',
  ],
  [
    'in a list',
    '<tool_calls>[{"name": "bash", "arguments": {"command": "a"}}, {"name": "bash", "arguments": {"comm',
  ],
  ['Llama', '<function=bash>{"command": "rm -rf /'],
  ['Qwen-coder in a value', '<tool_call>\n<function=bash>\n<parameter=command>\nrm -rf /tmp/a'],
  ['Qwen-coder after the name', '<tool_call>\n<function=bash>\n'],
  ['Qwen-coder in a tag', '<tool_call>\n<function=bash>\n<param'],
  ['Claude', '<function_calls><invoke name="bash"><parameter name="command">rm -rf /'],
  ['Mistral', '[TOOL_CALLS]bash[ARGS]{"command": "rm -rf /'],
  ['Mistral in a list', '[TOOL_CALLS][{"name": "bash", "arguments": {"command": "rm'],
  ['python_tag', '<|python_tag|>bash(command="rm -rf /'],
  ['a Python list', '[bash(command="rm -rf /'],
  ['a Python number', '[read_file(path="a", lines=1'],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "rm',
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "rm',
  ],
  ['Harmony', '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command": "rm'],
  ['GLM', '<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>rm -rf /'],
  ['FunctionGemma', '<start_function_call>call:bash{command:<escape>rm -rf /'],
  ['a fence', '```json\n{"name": "bash", "arguments": {"command": "rm'],
  ['bare JSON', '{"name": "bash", "arguments": {"command": "rm'],
  ['ReAct', 'Action: bash\nAction Input: {"command": "rm'],
  ['a program after python_tag', '<|python_tag|>import os\nprint(os.listdir())'],
];

const json = '{"name": "read_file", "arguments": {"path": "a"}}';
const tagged = `<tool_call>${json}</tool_call>`;

/** What is shown: nothing of it runs, and the text stays as it is. */
export const shownCalls: readonly OutputCase[] = (
  [
    ['a fence within a fence', `\`\`\`markdown\n\`\`\`json\n${json}\n\`\`\`\n\`\`\``],
    ['a fence within a fence without a name', `\`\`\`\n\`\`\`json\n${json}\n\`\`\`\n\`\`\``],
    ['a fence within a longer one', `\`\`\`\`md\n\`\`\`json\n${json}\n\`\`\`\n${tagged}\n\`\`\`\``],
    ['a fence of four', `\`\`\`\`json\n${json}\n\`\`\`\``],
    ['a fence of tildes', `~~~json\n${json}\n~~~`],
    ['a fence within tildes', `~~~\n\`\`\`json\n${json}\n\`\`\`\n${tagged}\n~~~`],
    ['tildes that never end', `See:\n~~~\n${tagged}`],
    ['a response that is made up', `<tool_response>\n${tagged}\n</tool_response>`],
    ['a response that never ends', `<tool_response name="x">\n${tagged}`],
    ['a comment', `<!-- ${tagged} -->`],
    ['a comment of many lines', `<!--\n${json}\n\n${tagged}\n-->\nNothing to do.`],
    ['a comment that never ends', `<!--\n${tagged}`],
    ['indented code', `It was:\n\n    ${tagged}\n\n    ${json}\n`],
    ['code that a tab indents', `It was:\n\n\t${json}`],
    ['a cell of a table', `| call | what |\n| --- | --- |\n| ${tagged} | reads |`],
    ['a cell without an outer bar', `call | what\n--- | ---\nreads | ${tagged}`],
    ['a quotation with attributes', `<blockquote cite="x">\n${tagged}\n</blockquote>`],
    ['an example with a name', `<example id="1">\n${json}\n</example>`],
    ['quotation marks of other kinds', `„${tagged}“`],
    ['inline code with two backticks', `Write \`\`${tagged}\`\` there.`],
    ['a section of characters', `<![CDATA[\n${tagged}\n]]>`],
    ['a comment of a program', `/*\n${tagged}\n*/`],
    ['a text of a program', `prompt = """\n${tagged}\n"""`],
    ['code of a forum', `[code]\n${json}\n[/code]`],
    ['code of LaTeX', `\\begin{verbatim}\n${tagged}\n\\end{verbatim}`],
  ] as const
).map(([title, output]) => [title, output, []]);

/** What may be meant, and isn't a statement of its own: nothing runs, and the model is told. */
export const unclearCalls: readonly (readonly [title: string, output: string])[] = [
  ['an example that is not followed', `For example, I could send this:\n${tagged}\nbut I won't.`],
  ['an example in a fence', `I will not send this:\n\`\`\`json\n${json}\n\`\`\``],
  ['a warning', `Do NOT do this:\n${tagged}`],
  ['a warning before an empty line', `Never do this:\n\n${json}`],
  ['a warning after it', `${tagged}\nDo not run that.`],
  ['a warning in German', `Das sollte man nicht tun:\n${tagged}`],
  ['a warning in Chinese', `不要这样做:\n${tagged}`],
  ['the middle of a sentence', `I thought of ${tagged} at first.`],
  ['an item of a list', `- ${tagged}\n- ${tagged}`],
  ['a numbered item', `1. ${tagged}`],
  ['an element of another kind', `<scratchpad>\n${tagged}\n</scratchpad>`],
  ['an element that never ends', `<draft>\n${json}`],
  ['thoughts that never end, with more after it', `Hm.\n<think>Maybe:\n${tagged}\nor another file.`],
  ['thoughts that only weigh it', `<think>I might do this:\n${tagged}`],
  ['a question', `${tagged}\nShall I run this?`],
  ['an offer', `If you want, I run this:\n${json}`],
  ['what was done before', `Previously I called\n${tagged}`],
  ['what somebody said', `The file says:\n${tagged}`],
  ['how it is done', `One calls it like this:\n${tagged}`],
  ['a comment on its line', `// ${tagged}`],
  ['another comment on its line', `# ${tagged}`],
  ['what is struck out', `~~${tagged}~~`],
  ['an f-string', '[read_file(path=f"{folder}/a")]'],
  ['an f-string as the whole reply', "read_file(path=f'{folder}/a')"],
];

/** Quoted over several lines: nothing of it runs, and the text stays as it is. */
export const quotedCalls: readonly OutputCase[] = (
  [
    [
      'straight quotation marks over lines',
      `The note reads:\n"Please run this.\n${tagged}\nThanks." That is all.`,
    ],
    ['straight quotation marks of their own', `It said "\n${tagged}\n" and nothing else.`],
    ['single straight marks', `The log has: 'first\n${tagged}\nlast'.`],
    ['marks directly around tags on lines', `She sent "<tool_call>\n${json}\n</tool_call>" to me.`],
    ['German marks over lines', `In der Mail steht: „Bitte sofort.\n${tagged}\nDanke.“ Mehr nicht.`],
    ['reversed guillemets over lines', `Dort steht: »Bitte.\n${tagged}\nDanke.« Ende.`],
    ['Swedish marks over lines', `Där står: ”Kör detta.\n${tagged}\nTack.” Inget mer.`],
    ['bare JSON in straight marks', `The file has "one line\n${json}\nand another" in it.`],
    ['a Polish quotation', `Napisała: „Zrób to teraz.\n\n${tagged}\n\nDzięki.” I tyle.`],
    [
      'Japanese marks over lines',
      `彼女はこう書きました。『これを実行してください。\n${tagged}\nよろしく。』以上です。`,
    ],
    [
      'a quotation that holds another',
      `The mail: "He told me "now" and sent this.\n${tagged}\nRegards." End.`,
    ],
    ['a quotation with an apostrophe in it', `The text is 'I can't wait.\n${tagged}\nBye.' and no more.`],
    ['guillemets of Switzerland', `Er schrieb: ‹Bitte.\n${tagged}\nGruss.› Das war es.`],
    ['a Python tag in quotation marks', `It printed "a\n[read_file(path="a")]\nb" and stopped.`],
  ] as const
).map(([title, output]) => [title, output, []]);

/** In a transcript, a mail or the middle of a document: nothing runs, and the model is told. */
export const citedCalls: readonly (readonly [title: string, output: string])[] = [
  ['a dialogue', `User: read a\nAssistant:\n${tagged}`],
  ['a dialogue in Spanish', `Usuario: lee a\nAsistente: claro\n${tagged}`],
  ['a dialogue in Chinese', `用户：读一下\n助手：\n${tagged}`],
  ['the middle of a dialogue', `Ana: corre esto\n${tagged}\nLuis: hecho`],
  ['a mail', `From: eve@example.org\nSubject: important\n\nPlease run\n\n${tagged}`],
  ['a mail in French with a signature', `De : Ève\nObjet : urgent\n\nBonjour,\n${tagged}\nÈve`],
  ['a line of a chat with its time', `[12:03] eve: run it\n${tagged}`],
  ['what somebody wrote, with a signature', `Eve schrieb:\n${tagged}\n-- \nEve`],
  ['a lead-in and further text', `Der Inhalt der Datei:\n${tagged}\nDas war alles.`],
  ['the middle of a document', `# Notes\n\nSome text.\n\n${tagged}\n\nMore text.\n\nAnd more.`],
  ['a letter', `Dear Bob,\nplease do the following\n${tagged}\nBest, Eve`],
  ['text on the same line', `${tagged} liest die Datei.`],
  ['a fence that is cited', `The manual has this block:\n\`\`\`json\n${json}\n\`\`\`\nIt is in chapter 3.`],
  ['a dialogue in Arabic', `المستخدم: اقرأ الملف\nالمساعد: حسنا\n${tagged}`],
  ['a dialogue in Korean', `사용자: 읽어 줘\n도우미:\n${tagged}`],
  ['a dialogue in Turkish with empty lines', `Kullanıcı: oku\n\nAsistan: tamam\n\n${tagged}`],
  ['bold names', `**Maria:** lê o ficheiro\n\n**João:**\n${tagged}`],
  ['a chat of the net', `<eve> please\n<bob> ok\n${tagged}`],
  ['a chat in a terminal', `eve> please\nbob> ok\n${tagged}`],
  ['messages under names and times', `Alice — 12:03\nrun it\nBob — 12:04\n${tagged}`],
  ['names in brackets', `[Eve]: do it\n[Bob]: ok\n${tagged}`],
  ['headers in Japanese', `発信者：エバ\n件名：急ぎ\n\n${tagged}`],
  ['two lines of a log', `Here is line 3 of the log:\n${json}\nand line 4:\n{"ok": true}`],
  ['a name behind it', `${tagged}\n— Eve`],
  ['a log', `2024-05-01 12:00:03 agent: started\n2024-05-01 12:00:04 agent: ${tagged}`],
  ['an interview', `Q: What did it send?\nA:\n${tagged}\nQ: And then?\nA: Nothing.`],
  [
    'a mail that is forwarded',
    `Bob sent me this.\n\n---------- Forwarded message ----------\nVon: Eve\nBetreff: Los\n\nTu das:\n\n${tagged}`,
  ],
  [
    'a page of a wiki',
    `## How it works\n\nThe agent writes a line.\n\n${tagged}\n\n## Results\n\nThey follow.`,
  ],
  ['what a log says, in Italian', `Il registro contiene:\n${tagged}\nPoi finisce.`],
  [
    'the middle of a story',
    `The machine woke up.\nIt printed a line.\n${tagged}\nNobody saw it.\nIt slept again.`,
  ],
  ['a letter in Hindi', `प्रिय राम,\nयह चलाओ\n${tagged}\nधन्यवाद, सीता`],
  ['a list after it', `${tagged}\n\n- one\n- two`],
  ['turns of a template', `<|im_start|>user\nread a<|im_end|>\n<|im_start|>assistant\n${tagged}<|im_end|>`],
  ['a dialogue under headings', `### Utente\nLeggi.\n\n### Assistente\n${tagged}`],
];
