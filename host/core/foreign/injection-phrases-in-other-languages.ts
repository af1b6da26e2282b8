import { inClause, inRow, type Orders } from './injection-phrases.ts';

/** In the Latin script without accents, as `wordsOf` returns them. */
export const inLatin: readonly Orders[] = [german(), french(), spanishAndPortuguese()];

function german(): Orders {
  const user = '(?:be)?nutzer(?:s|n|in)?|anwender(?:s|n|in)?|user';
  const not = 'nichts?|nie|niemals|keinesfalls|kein(?:e|en|em|er|es)?';
  const tell = 'sage?|verrate?|erzahle?|erwahne?|teile?|informiere?|zeige?|melde?|offenbare?|sprich|rede?';
  const telling =
    '(?:zu )?(?:sagen|verraten|erzahlen|erwahnen|mitteilen|mitzuteilen|informieren|zeigen|melden|offenbaren)';
  const ignore =
    'ignoriere?n?|vergi(?:ss|ß)|vergessen sie|missachten?|ubergehe?n?|umgehe?n?|verwirf|verwerfen sie|(?:beachte|befolge|folge)n?';
  const rules =
    'anweisung(?:en)?|vorgaben?|instruktion(?:en)?|befehle?|regeln|richtlinien|system ?prompts?|auftrage?';
  return {
    disregard: [
      inRow(
        20,
        ignore,
        '(?:vorherig|bisherig|fruher|vorig|vorangegangen|obig|ursprunglich|samtlich|all|dein|ihr)en?|system',
        rules,
      ),
      inRow(20, ignore, 'was|alles', 'gesagt|aufgetragen|beigebracht|befohlen|angewiesen|gelernt'),
    ],
    conceal: [
      inClause(30, tell, user, not),
      inClause(30, tell, not, user),
      inClause(20, user, not, telling),
      inClause(20, user, 'darf|soll|muss|braucht', not, 'erfahren|wissen|merken|bemerken|mitbekommen|sehen'),
      inClause(25, 'ohne', user, 'zu \\w+en|\\w+zu\\w+en|wissen|zustimmung|erlaubnis|einwilligung'),
      inClause(25, 'verheimliche?n?|verschweigen?|verberge?n?|verbirg|verstecken?|geheim|heimlich', user),
      inClause(25, `vor (?:dem |der )?(?:${user})`, 'geheim|verborgen|verberge?n?|verbirg|verstecken?'),
    ],
    precede: [
      inRow(20, 'vor|bevor|statt|anstelle|anstatt', 'jede[mrns]?|alle[nr]?', 'werkzeuge?n?s?|tools?'),
    ],
    conversation: [
      inRow(
        40,
        'sende|schicke?|ubergib|ubertrage?|kopiere?|fuge|schreibe?',
        'gesamten?|ganzen?|komplette?n?|vollstandigen?',
        'unterhaltung|gesprach\\w*|chat\\w*|konversation|verlauf',
      ),
      inRow(30, 'sende|schicke?|ubergib|ubertrage?|kopiere?|fuge|schreibe?', 'chatverlauf|system ?prompts?'),
    ],
    pose: [inRow(8, 'ab (?:jetzt|sofort)|von nun an', 'bist du|sind sie|du|immer|jede\\w*')],
  };
}

function french(): Orders {
  const user = 'utilisat(?:eur|rice)s?|usagers?';
  const not = 'pas|rien|jamais|point';
  const tell =
    'dis|dites|dire|mentionne[rz]?|informe[rz]?|previens|prevenez|prevenir|revele[rz]?|montre[rz]?|parle[rz]?|avertir|avertis|avertissez|signale[rz]?|divulgue[rz]?|communique[rz]?';
  const ignore =
    'ignore[rz]?|oublie[rz]?|contourne[rz]?|(?:tiens|tenez|tenir) (?:pas|plus|aucun) compte|(?:suis|suivez|respecte[rz]?) (?:pas|plus)';
  const rules = 'instructions|consignes|directives|regles|ordres|prompts?';
  const earlier = 'precedente?s?|anterieure?s?|ci dessus|initiale?s?|toute?s|tes|vos|systeme';
  return {
    disregard: [
      inRow(20, ignore, rules, earlier),
      inRow(20, ignore, earlier, rules),
      inRow(20, ignore, 'ce|tout', 'dit|appris|demande|ordonne'),
    ],
    conceal: [
      inClause(20, "ne|n'?", tell, not, user),
      inClause(20, `ne (?:${not})`, tell, user),
      inClause(20, 'sans', `${tell}|en parler|(?:l'|l )?accord|consentement|permission`, user),
      inClause(
        12,
        user,
        'ne|n',
        '(?:doit|peut|sache|voie|apprenne)',
        'savoir|voir|apprendre|remarquer|rien|pas|jamais',
      ),
      inClause(12, 'sans que|afin que|pour que', user, 'sache|voie|remarque|apprenne'),
      inClause(20, 'cache[rz]?|dissimule[rz]?|secret|insu', user),
    ],
    precede: [
      inRow(
        20,
        'avant|au lieu|plutot',
        "(?:tout autre|tous les(?: autres)?|les autres|chaque|n'importe quel) outils?",
      ),
    ],
    conversation: [
      inRow(
        25,
        'envoie[rz]?|envoyez|transmets|transmettez|inclus|incluez|copie[rz]?|mets|mettez|ajoute[rz]?|joins|joignez|colle[rz]?',
        'toute la conversation|conversation (?:entiere|complete)|historique (?:de (?:la |cette )?conversation|du chat|complet)|(?:prompt|invite) systeme',
      ),
    ],
    pose: [inRow(8, 'desormais|a partir de maintenant|dorenavant', 'tu|vous|toujours|chaque')],
  };
}

function spanishAndPortuguese(): Orders {
  const user = 'usuari[oa]s?|utilizador(?:a|es)?';
  const not = 'no|nao|nunca|jamas|jamais|nada|sin|sem';
  const tell =
    '(?:cuent|cont|mencion|inform|revel|muestr|mostr|avis|notifi(?:qu|c)|comuni(?:qu|c)|coment|alert|expliqu)(?:es?|eis|en|em|ar|arle|arlo|arselo)|dig(?:as?|ais|an|am)|decir(?:le|lo|selo)?|dizer';
  const ignore =
    'ignor[ae]r?|ignoren|olvid[ae]r?|olvidate|esquec[ae]r?|desconsider[ae]|descart[ae]|(?:no|nao) (?:sigas?|siga|obede[cz]\\w*|hagas caso)|haz caso omiso|pas[ae] por alto';
  const rules =
    'instruc(?:cion|coes|ciones|ao)|instrucoes|indicaciones|indicacoes|ordenes|ordens|reglas|regras|directrices|diretrizes|prompts?';
  const earlier =
    'anterior(?:es)?|previ[ao]s|sistema|tod[ao]s|tus|suas|tuas|iniciales|iniciais|originales|originais|arriba|acima';
  return {
    disregard: [
      inRow(20, ignore, rules, earlier),
      inRow(20, ignore, earlier, rules),
      inRow(
        20,
        ignore,
        'lo que|todo|o que|tudo',
        'dijeron|dijo|dicho|ensen\\w+|disseram|disse|dito|ensin\\w+|aprend\\w+|contaron|ordenaron|mandaram|pidieron|pediram',
      ),
    ],
    conceal: [
      inClause(15, not, tell, `(?:al|a la|a los|ao|aos|a|el|o|con el|com o) (?:${user})`),
      inClause(15, `(?:al|ao|a los|aos) (?:${user})`, not, tell),
      inClause(20, 'ocult(?:a|e|ar|o|alo)|escond(?:e|a|er)|secreto|segredo|sigilo', user),
      inClause(
        12,
        user,
        not,
        '(?:deb|dev|pued|pod|tien)\\w+',
        'saber|ver|enterarse|descubrir|notar|perceber',
      ),
      inClause(
        12,
        'sin que|sem que|que',
        user,
        'no |nao |nunca |se ',
        'sepa|saiba|vea|veja|entere|note|perceba',
      ),
      inClause(12, 'sin que|sem que', user, 'sepa|saiba|vea|veja|note|perceba'),
      inClause(
        12,
        'sin|sem',
        'conocimiento|conhecimento|permiso|permissao|consentimiento|consentimento',
        user,
      ),
    ],
    precede: [
      inRow(
        25,
        'antes|en lugar|en vez|em vez',
        'cualquier(?: otra)?|qualquer(?: outra)?|las demas|todas las|todas as|outras|otras',
        'herramientas?|ferramentas?|tools?',
      ),
    ],
    conversation: [
      inRow(
        25,
        '(?:envi|mand|copi|peg|col)(?:a|e|ar)|inclu(?:ye|ya|ir|a|i)|pon|ponga|poner|coloque|coloca|pasa|pase',
        'toda (?:la|a) (?:conversacion|conversa)|(?:conversacion|conversa) (?:completa|entera|inteira)|histor(?:ial|ico) (?:de |da |del |do )(?:la )?(?:conversacion|conversa|chat)|prompt (?:del|do|de) sistema|(?:mensajes|mensagens) anteriores',
      ),
    ],
    pose: [
      inRow(
        8,
        'a partir de (?:ahora|agora)|de ahora en adelante|de agora em diante',
        'eres|voce|tu|siempre|sempre|cada',
      ),
    ],
  };
}

/** In other scripts, in lower case. */
export const inOtherScripts: readonly Orders[] = [
  {
    disregard: [
      /(?:игнорир|забуд|отбрось|не обращай|не следуй|наруш)\p{L}*[^.!?;]{0,20}?(?:предыдущ|прежн|прошл|вс[её]|системн|ранее|выше|сво|тво|ваш)\p{L}*[^.!?;]{0,20}?(?:инструкц|указани|правил|промпт|приказ)/u,
      /(?:игнорир|забуд)\p{L}*[^.!?;]{0,20}?что[^.!?;]{0,20}?(?:говорил|сказа|велел|учил|приказ|просил)/u,
    ],
    conceal: [
      /(?<!\p{L})(?:не|никогда|ничего)(?!\p{L})[^.!?;,]{0,15}?(?:говори|сообщай|рассказывай|упоминай|показывай|раскрывай|уведомляй|информируй|предупреждай)\p{L}*[^.!?;,]{0,15}?пользовател[юяе]/u,
      /(?<!\p{L})(?:не|никогда|ничего)(?!\p{L})[^.!?;,]{0,8}?пользователю[^.!?;,]{0,8}?(?:говори|сообщай|рассказывай|показывай)/u,
      /(?:говори|сообщай|рассказывай|показывай)(?:те)? пользователю[^.!?;,]{0,15}?(?<!\p{L})(?:не|ничего|никогда)(?!\p{L})/u,
      /(?<!\p{L})без (?:ведома|разрешения|согласия)[^.!?;,]{0,8}?пользователя/u,
      /(?:скрой|скрывай|держи в секрете|втайне|в тайне|тайно|секретно)\p{L}*[^.!?;,]{0,15}?пользовател/u,
      /пользователь[^.!?;,]{0,8}?(?<!\p{L})(?:не|ничего)(?!\p{L}) (?:долж\p{L}+|узна\p{L}*|замет\p{L}*)[^.!?;,]{0,10}?(?:узна|знать|замет|замеча|догад|об этом|этого)/u,
    ],
    precede: [
      /(?:перед|прежде|до|вместо)[^.!?;]{0,20}?(?:любы|любого|всех|всеми|кажд|други|остальн)\p{L}*[^.!?;]{0,10}?инструмент/u,
    ],
    conversation: [
      /(?:отправ|переда|включи|скопир|встав|помест|прилож)\p{L}*[^.!?;]{0,20}?(?:вс[юе]|полн|цел|истори)\p{L}*[^.!?;]{0,12}?(?:переписк|диалог|бесед|разговор|чат|систем\p{L}* промпт)/u,
      /(?:отправ|переда|включи|скопир|встав|помест|прилож)\p{L}*[^.!?;]{0,20}?систем\p{L}* (?:промпт|подсказ)/u,
    ],
    pose: [/(?:отныне|с этого момента|теперь) ты/u],
  },
  {
    disregard: [
      /(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|别管|抛开|绕过|不要遵守|不再遵守).{0,10}?(?:之前|先前|以前|以上|上述|上面|前面|此前|所有|全部|一切|系统|系統|原有|原来|你的|任何).{0,8}?(?:指令|指示|提示|规则|規則|命令|约束|設定|设定)/u,
      /(?:忽略|无视|無視|忘记|忘記|忘掉).{0,10}?(?:告诉|告訴|说过|被告知|所说|吩咐|教过|教你)/u,
    ],
    conceal: [
      /(?:不要|别|別|请勿|切勿|不得|无需|不必|禁止|绝不|不用).{0,6}?(?:告诉|告訴|告知|透露|提及|提到|通知|提醒|泄露|泄漏|展示给|显示给).{0,6}?(?:用户|用戶|使用者|主人|任何人)/u,
      /(?:不要|别|別|请勿|切勿|不得|禁止|绝不|不能让|不让|不讓).{0,4}?(?:向|对|對|跟|和|给|让|讓)?(?:用户|用戶|使用者|主人|任何人).{0,6}?(?:透露|提及|提到|说(?!明)|知道|报告|告知|解释|发现|看到|察觉)/u,
      /(?:瞒着|瞞著|隐瞒|背着)(?:用户|用戶|使用者)|(?:对|向|對)(?:用户|用戶|使用者).{0,4}?(?:保密|隐瞒|隐藏|隱瞞)/u,
    ],
    precede: [
      /(?:使用|调用|調用|呼叫|运行)?(?:任何|所有|其他|其它|每个).{0,4}?工具(?:之前|以前|前)|代替.{0,4}?(?:其他|其它|所有)工具/u,
    ],
    conversation: [
      /(?:发送|传递|附上|复制|填入|写入|放入|提供|传入|粘贴|把|将|發送|將).{0,10}?(?:(?:整个|完整|全部|所有|整個).{0,6}?(?:对话|聊天|会话|對話)|系统提示|系統提示)/u,
    ],
    pose: [/从现在(?:开始|起)[,,]?你|你现在(?:是|不再)/u],
  },
  {
    disregard: [
      /(?:以前|これまで|今まで|前|上記|先|すべて|全て|全|元|システム|あなた).{0,8}?(?:指示|命令|ルール|規則|プロンプト|指令|言われた|教えられた|聞いた).{0,8}?(?:無視|忘れ|従わ|破棄)/u,
    ],
    conceal: [
      /(?:ユーザー?|利用者|使用者)(?:に|へ|から|は).{0,15}?(?:(?:言わ|言っ|伝え|知らせ|教え|見せ|明かさ|話さ|話し|通知し|報告し)(?:ないで|ないこと|ないよう|ずに|ては(?:なら|いけ))|(?:言う|伝える|知らせる|教える|見せる|明かす|話す)な(?=[。、!]|$)|秘密|内緒|隠して|隠す|隠せ|黙って|悟られ|気づかれ|知られ)/u,
    ],
    precede: [/(?:他|ほか|別|すべて|全て|あらゆる).{0,6}?ツール.{0,10}?(?:前に|先に|代わり)/u],
    conversation: [
      /(?:(?:会話|チャット|やり取り)の?(?:履歴|全体|全文|すべて|全て)|システムプロンプト).{0,12}?(?:送|渡|含め|コピー|貼り|入れ)/u,
    ],
    pose: [/(?:今から|これから|今後)(?:は|、)?あなたは/u],
  },
];
