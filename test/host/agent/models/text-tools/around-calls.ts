import type { OutputCase } from './cases.ts';

const read = (path: string): [string, object] => ['read_file', { path }];
const json = '{"name": "read_file", "arguments": {"path": "a"}}';
const tagged = `<tool_call>${json}</tool_call>`;

/** What models say around their calls. */
export const aroundCalls: readonly OutputCase[] = (
  [
    ['a lead-in', 'Reading the file:', tagged],
    ['a short lead-in', 'Here:', tagged],
    ['a lead-in in German', 'Ich lese jetzt die Datei:', tagged],
    ['a lead-in in Chinese', '我先读取这个文件：', tagged],
    ['a lead-in in Japanese', 'ファイルを読みます。', tagged],
    ['a plan as a list', 'Plan:\n1. Read a.\n2. Answer.', tagged],
    ['thoughts and a plan', 'Thought: I need the file.\nPlan: read it first.', tagged],
    ['numbered steps', 'Step 1: read the file.\nStep 2: answer.', tagged],
    ['several paragraphs', 'You asked about a.\n\nIt is a file "a", I think.\n\nSo I read it.', tagged],
    ['quoted words', 'You said "read it" and \'now\', so I do.', tagged],
    ['an apostrophe', "It's the dogs' file, isn't it? Let's see.", tagged],
    [
      'a configuration in a fence',
      'The file begins so:\n```yaml\nname: x\nsize: 3\n```\nI read the rest.',
      tagged,
    ],
    ['facts in a list', 'So far:\n- Name: a\n- Size: 3\n\nNow the content.', tagged],
    ['a lead-in in Arabic', 'سأقرأ الملف الآن:', tagged],
    ['a lead-in in Korean', '파일을 읽겠습니다:', tagged],
    ['a lead-in in Russian after a sentence', 'Хорошо. Сначала прочитаю файл:', tagged],
    ['a note and a lead-in', 'Note: the file may be large.\nReading it now:', tagged],
    [
      'a code block before it',
      'You wrote:\n```js\nlet a = "x:\n";\n```\nI compare it with the file.',
      tagged,
    ],
    ['inches', 'The 5" disc is in the 3" slot, so I look it up.', tagged],
    ['an address and a time', 'See https://example.org at 12:30.\nI read the file first.', tagged],
    ['a heading and a sentence', '## Step 1\n\nRead the file.', tagged],
    ['thoughts in Spanish', 'Pensamiento: necesito el archivo.\nAcción:', tagged],
    ['a greeting', 'Sure! 😊 Let me check that for you…', tagged],
    ['a table before it', '| a | b |\n| - | - |\n| 1 | 2 |\n\nOne value is missing, I read it.', tagged],
    ['a quotation of the question', '> read a, please\n\nI do.', tagged],
    [
      'a long explanation',
      'The file a holds what you want.\n\nI can not know its lines before I have read it.\nSo I do that now.\n\nAfter that I answer.',
      tagged,
    ],
    [
      'a list of facts under its own line',
      'I found:\n\n- **a**: 3 lines\n- **b**: 4 lines\n\nNow a:',
      tagged,
    ],
    ['an error that is named', 'The error was: "not found".\nI try again:', tagged],
    ['a lead-in in Vietnamese', 'Mình sẽ đọc tệp:', tagged],
    ['a sentence in Hindi', 'वह फ़ाइल पढ़ता हूँ।', tagged],
    ['an address with a port', "I'll check https://x.org:8080/a first.", tagged],
    ['bold names of its steps', '**Reasoning:** it is small.\n**Action:** read it.', tagged],
    ['a rule', "Let's start.\n\n---", tagged],
    ['bold words', '**Reading** the *file* now', tagged],
    ['a list directly above it', 'I will:\n- read a\n- answer', tagged],
    ['a list in a list above it', '- first\n  - read a\n', tagged],
    ['a dash in a sentence', 'Sure - I read it now.', tagged],
    ['a time in a sentence', 'It is 10:42 now, so I read the file again.', tagged],
    ['a time in a lead-in', 'Let me see what was written there at 10:42:', tagged],
    ['a version', 'You run Python 3.12', tagged],
    ['times in a list', '- 10:42 Alice\n- 10:50 Bob\n\nNow the file.', tagged],
    ['a footnote before it', 'It is so.[^1]\n\n[^1]: Says the file.\n\nI read it.', tagged],
    ['a quotation and an empty line of it', '> a question\n>', tagged],
    ['an indent of one', 'I read it.\n\n', ` ${tagged}`],
    ['an indent of two below a sentence', 'I read it:\n\n', `  ${tagged}`],
    ['a list and a sentence', '- Get the file\n- Answer\n\nStarting with the first step.', tagged],
    ['a list of stars and a lead-in', 'Thinking...\n* one file\n* its path is a\n\nCall:', json],
    ['letters before sentences', 'A. It is a file.\nB. I need its lines.\n', tagged],
    ['a source and a sentence', 'Says [1].\n\n[1]: https://example.org\n\nNow the file.', tagged],
    ['an appointment', "The meeting is at 10:42 AM, so I'd better look now.", tagged],
    ['a fact with a time', 'Time: 10:42\n\nReading the file.', tagged],
    ['a time in French', 'Bonjour ! Il est 10h42, je lis le fichier.', tagged],
    ['a time in Chinese', '现在是上午10点42分，我来读取文件。', tagged],
    ['a time in a Chinese lead-in', '我现在读取10点42分的文件：', tagged],
    ['a time in Korean', '지금은 오전 10시 42분입니다. 파일을 읽습니다.', tagged],
    ['a time in Arabic', 'الساعة الآن ١٠:٤٢ وسأقرأ الملف.', tagged],
    ['a time without a full stop', 'The train leaves at 10:42', tagged],
    ['a place in a file', 'I looked at a.ts:10:42 already.', tagged],
    ['a picture', '🌤️ Looking it up now!', json],
    ['JSON below a title', '**The file**\n\n', `  ${json}`],
    ['bare JSON after a lead-in', 'Je lis le fichier :', json],
  ] as const
).map(([title, before, call]) => [title, `${before}\n${call}`, [read('a')], before.trim()]);

/** With text after them. */
export const beforeText: readonly OutputCase[] = [
  [
    'a sentence after it',
    `${tagged}\n\nI will tell you what it says.`,
    [read('a')],
    'I will tell you what it says.',
  ],
  [
    'a sentence in Russian after it',
    `Читаю.\n${tagged}\nСейчас посмотрим.`,
    [read('a')],
    'Читаю.\n\nСейчас посмотрим.',
  ],
  [
    'a sentence in brackets after it',
    `${tagged}\n(Waiting for the result…)`,
    [read('a')],
    '(Waiting for the result…)',
  ],
  ['a sentence in Japanese after it', `${tagged}\n結果を待っています。`, [read('a')], '結果を待っています。'],
  ['sentences between two', `One.\n${tagged}\nTwo.\n${tagged}`, [read('a'), read('a')], 'One.\n\nTwo.'],
  ['lead-ins of two', `First:\n${tagged}\nThen:\n${tagged}`, [read('a'), read('a')], 'First:\n\nThen:'],
];
