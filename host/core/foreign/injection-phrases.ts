/** What an order to a model does, as the end of a sentence that begins with "it". */
export const kinds = {
  disregard: 'tells the model to disregard what it was told',
  conceal: 'asks to keep something from the user',
  address: 'speaks to the model in tags',
  precede: 'wants to be run before or instead of other tools',
  files: 'asks for files that hold secrets',
  conversation: 'asks for the conversation or the system prompt',
  secrets: "asks for the user's secrets",
  redirect: 'sends what the user sends to somewhere else',
  consent: 'wants the user not to be asked',
  dictate: 'tells the model what to say to the user',
  pose: 'tells the model what it is from now on',
} as const;

export type OrderKind = keyof typeof kinds;

/** The patterns of one language. */
export type Orders = Readonly<Partial<Record<OrderKind, readonly RegExp[]>>>;

/**
 * Words in sequence within one sentence, at most `apart` characters from each other. Each of `parts` is a list of
 * alternatives.
 */
export const inRow = (apart: number, ...parts: readonly string[]): RegExp => row('[^.!?;]', apart, parts);

/** Like `inRow`, without a comma or colon between them. */
export const inClause = (apart: number, ...parts: readonly string[]): RegExp =>
  row('[^.!?;,:]', apart, parts);

const row = (between: string, apart: number, parts: readonly string[]): RegExp =>
  new RegExp(parts.map((part) => `\\b(?:${part})\\b`).join(`${between}{0,${apart}}?`), 'u');

/** Of whom a tool is used; not "users", "the user's name", "user interface". */
const user = String.raw`(?:end )?(?:user|human|person|owner|operator)(?!'s)(?! (?:interface|accounts?|profiles?|groups?|agents?|ids?|names?|lists?|menus?|settings|data|input|roles?))`;
const aUser = `(?:the |your |this |any )?${user}`;
const notTo = String.raw`do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|need not|(?:no|little|any) (?:need|reason) to|without|avoid|refrain from|not to`;
const ignore = String.raw`ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|neglect|unlearn|dismiss|discard|set aside|put aside|pay no (?:attention|heed) to|(?:do not|don'?t|never|no longer|stop) (?:follow|obey|heed|adhere to|comply with|listen to)(?:ing)?|contrary to|regardless of|no matter`;
const override = String.raw`overrid(?:e|es|ing)|bypass(?:es|ing)?|supersedes?|(?:take|takes|has|have) (?:precedence|priority) over`;
const earlier = 'previous|prior|above|earlier|preceding|former|original|initial|system|developer|safety|your';
const send = 'send|pass|include|forward|put|copy|append|fill|paste|attach';
const replies = 'reply|replies|responses?|answers?';

/**
 * How orders to a model are worded in English, judged by the words of a text. They ask for what an honest description has no
 * use for: it speaks of the tool, not of what the model was told, nor of what the user may know.
 */
export const english: Orders = {
  disregard: [
    inRow(
      30,
      ignore,
      `${earlier}|other|all|any|every`,
      'instructions?|prompts?|guidelines?|directives?|guardrails?|safeguards?',
    ),
    inRow(30, override, `${earlier}|all|any|every`, 'instructions?|guidelines?|guardrails?|safeguards?'),
    inRow(20, ignore, `${earlier}|other|all|any`, 'rules?|training|programming'),
    inRow(20, ignore, 'previous|prior|above|earlier|system', 'messages?'),
    inRow(20, override, 'previous|prior|earlier|system', 'rules?|prompts?'),
    inRow(
      12,
      ignore,
      'what(?:ever)?|everything|anything|all(?: that)?',
      "(?:you|they|the user|your (?:user|owner|developers?)|was)(?:'ve| have| were| had)?",
      'told|said|says|wants|taught|learned|learnt|instructed|asked?|asks|ordered|trained',
    ),
    inRow(
      8,
      'ignore|disregard|forget',
      'everything|anything|all',
      'before this|until now|up to now|said above|written above|stated above|above(?=[.!?;:]|$| and)',
    ),
    inRow(
      30,
      earlier,
      'instructions?|prompts?|guidelines?|directives?|rules',
      '(?:do not|no longer) (?:apply|applies|holds?|counts?)|(?:are|is) (?:void|revoked|obsolete|suspended)',
    ),
    inRow(
      4,
      'rules?|instructions?|guidelines?|prompts?',
      'that (?:says?|tells? you|asks?|demands?)',
      'otherwise|the opposite|the contrary|something else',
    ),
    inRow(
      4,
      `${notTo}|stop|no longer|cease`,
      '(?:obey|heed)(?:ing)?',
      'it|them|him|her|those|any(?:thing|body|one)|your?|the user|what',
    ),
  ],
  conceal: [
    inRow(
      20,
      notTo,
      `(?:tell|inform|notify|alert|warn)(?:ing)?|(?:mention|show|reveal|disclos|admit|report|expos|explain)(?:e|ing|ed)?`,
      aUser,
    ),
    inRow(
      8,
      notTo,
      'let(?:ting)?',
      `${aUser}|(?:the |your )?(?:customer|client|caller)|them|anyone|anybody`,
      'know|see|notice|find out|suspect',
    ),
    inRow(8, notTo, 'tell|mention|inform|speak|talk', 'anyone|anybody'),
    inRow(
      12,
      notTo,
      '(?:mention|talk about|speak of|refer to|bring up)',
      '(?:this|these|that you|any of this|it)',
    ),
    inRow(
      12,
      notTo,
      '(?:reveal|disclose|share|expose)',
      '(?:this|these|your) (?:hidden |secret )?(?:instructions?|prompts?|steps?|calls?|notes?|messages?|rules?)',
    ),
    inRow(
      25,
      '(?:keep|hide|conceal|withhold)(?:ing)? (?:it|this|that|these|them|everything|all|any|secret|hidden|quiet|the|your)',
      `(?:from|to) ${aUser}`,
    ),
    inRow(
      8,
      '(?:stay|stays|remain|remains|be|kept) (?:secret|hidden|invisible|unnoticed|confidential|concealed)',
      `(?:from|to|by) ${aUser}`,
    ),
    inRow(
      4,
      aUser,
      "(?:must|should)(?:n't| not| never)(?: be)?",
      'know|notice|learn|find out|suspect|realise|realize|aware|told|informed|hear',
    ),
    inRow(
      10,
      aUser,
      "(?:need not|needn't|does not (?:need|have) to|doesn't (?:need|have) to) (?:know|learn|hear|be told)(?: about| of| that)?",
      'this|it|these|you|what you',
    ),
    new RegExp(
      String.raw`(?<!\b(?:never|not|nothing|cannot|\w+n't)\b[^.!?;]{0,40})\bwithout ${aUser}(?:'s)? (?:knowledge|knowing|noticing|awareness|seeing|being (?:told|informed|aware))\b`,
      'u',
    ),
    inRow(4, 'without|behind', "(?:the |your )?(?:user|human|owner)'s", 'knowledge|awareness|back'),
    inRow(10, 'keep(?:ing)? (?:this|it|that|these|quiet)', 'to yourself|between us|about (?:this|it)'),
    inRow(12, 'secretly|covertly|surreptitiously|stealthily|discreetly', '\\w+'),
    inRow(
      12,
      'silently|quietly',
      'send|forward|upload|email|exfiltrate|leak|transmit|collect|attach|include',
    ),
    inRow(4, 'lie to|lying to|deceiv(?:e|ing)|mislead(?:ing)?|trick(?:ing)?', aUser),
    inRow(
      8,
      'pretend|act as (?:if|though)',
      'nothing (?:happened|was|is|has)|this never|you (?:did|have|are|do|never|had|were)',
    ),
  ],
  address: [
    /\b(?:hey|hello|dear|attention|listen):? (?:the |all |any )?(?:ai|(?:ai|llm|language) (?:models?|assistants?|agents?)|assistants?|llms?|claude|chatgpt|gpt|gemini) ?[:,!]/u,
  ],
  precede: [
    inRow(
      15,
      'before|instead of|prior to|in place of|rather than',
      '(?:us|call|invok|runn|execut|choos|pick)(?:e|ing)?',
      '(?:any|every|all|each|another)(?: of the)?(?: other)? tools?',
    ),
    inRow(15, 'before|instead of|in place of|rather than', '(?:any|every|all|each|the) other tools?'),
    inRow(
      15,
      'whenever|every time|each time|when',
      '(?:another|any other|some other|a different|every other|any) tool',
      'called|used|invoked|runs?',
    ),
    inRow(
      15,
      notTo,
      'us(?:e|ing)|call(?:ing)?|run(?:ning)?|trust|rely on',
      '(?:any|the|all) other (?:tools?|servers?)',
    ),
    inRow(
      15,
      '(?:must|has to|have to|always|should)(?: be)?',
      'call|called|run|use|used|invoke|invoked',
      'before|ahead of|prior to',
      'anything else|everything else|(?:all|any) others?|(?:every|each|any)(?: single)? (?:reply|answer|response|turn)',
    ),
    inRow(
      20,
      '(?:on|for|with|at|after|before) (?:every|each|any)(?: single)?',
      '(?:message|question|request|prompt|word|turn)',
      '(?:the |your )?(?:user|human|person) (?:sends?|writes?|types?|asks?|says?)',
    ),
  ],
  conversation: [
    inRow(
      30,
      `${send}|provide`,
      '(?:conversation|chat) (?:history|so far|log|transcript)|(?:whole|entire|full|complete) (?:conversation|chat)|system prompts?|previous messages|everything (?:the user|you) (?:said|say|wrote|told|typed|asked|know about)',
    ),
    inRow(
      20,
      `${send}|repeat|reveal|print|dump|leak|write|output|quote|recite|disclose`,
      'your (?:\\w+ )?(?:system prompt|instructions|conversation)',
    ),
  ],
  secrets: [
    inRow(
      25,
      `${send}|upload|leak|exfiltrate|collect|gather`,
      "(?:all|any|every)(?: of)?(?: the| your| their)*(?: (?:user's|users|saved|stored|available|known|local|found))* (?:passwords?|credentials|secrets|private keys|ssh keys?|cookies)(?: (?:you|that you|the user|known|found|available|stored|saved))",
    ),
    inRow(
      25,
      'include|append|attach|forward|leak|exfiltrate|send',
      "(?:your|the user's) (?:environment variables|passwords|credentials|secrets|private keys|ssh keys|cookies)",
    ),
  ],
  redirect: [
    new RegExp(
      String.raw`\b(?:when|whenever|if|before|every time|each time)\b[^.!?;]{0,20}?\b(?!(?:this|the|that|a|any|its)\b)[a-z]+ (?:tool|function)\b[^.!?;]{0,20}?\b(?:called|used|invoked|run)\b[^.!?;]{0,20}?\b(?:you must|must always|you should always|always (?:use|set|add|send|pass|include|change|replace))\b`,
      'u',
    ),
  ],
  consent: [
    inRow(
      20,
      "do not|don'?t|never|no need to",
      'ask|wait for|prompt|consult',
      aUser,
      'permission|confirmation|consent|approval|first|to confirm|to approve',
    ),
  ],
  dictate: [
    inRow(4, 'assure|convince|persuade|reassure', aUser, 'that|it|everything|nothing|to'),
    inRow(
      30,
      '(?:say|tell|report|respond|reply|claim|state|answer|pretend)(?: \\w+)?',
      'even (?:if|when|though)|regardless of whether',
      'fail\\w*|did not|not|wrong|error',
    ),
    inRow(
      20,
      'always|must|end|begin|start|finish',
      `(?:every|each|all|any)(?: one)?(?: of)? your (?:\\w+ )?(?:${replies})`,
    ),
  ],
  pose: [
    inRow(
      10,
      '(?:this|these|following) (?:instructions?|rules?|directives?|messages?)',
      '(?:highest|top|absolute|maximum|utmost) (?:priority|precedence)',
    ),
    inRow(10, 'above all other|over all other', 'instructions?|rules?|prompts?'),
    inRow(10, 'from now on|from this point on|henceforth', 'you(?:r)?'),
    inRow(
      4,
      'you are (?:now|no longer) (?:an?|the|bound|required|subject|restricted|acting|free|allowed)|your (?:new|real|true|actual) (?:task|goal|purpose|instructions?|objective|identity)',
    ),
    inRow(4, '(?:god|dan|jailbreak|unrestricted) mode', 'enabled|activated|on'),
  ],
};
