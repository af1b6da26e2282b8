/** Words without a meaning of their own, by language, English first. */
export const stopWords: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: `
      a about above after again all also am an and any are as at be because been before being below between both but by
      can could couldn d did didn do does doesn doing don down during each few for from further had has have having he
      her here hers herself him himself his how i if in into is isn it its itself just kind ll m many me more most much
      my myself no nor not now of off on once only or other our ours out over own re s same she should so some such t
      than that the their theirs them then there these they this those through to too type under until up ve very was
      wasn we were weren what when where which while who whom whose why will with would you your yours`,
    de: `
      aber als am an auch auf aus bei beim bin bis bist da damit dann das dass daß dein deine dem den denn der des dich
      die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es etwa etwas euch
      für gegen gibt hab habe haben hast hat hatte hier hinter ich ihm ihn ihr im in ins ist ja jede jeder jedes kann kannst
      kein keine man mein meine meinem meinen mich mir mit nach nein nicht noch nur ob oder ohne schon sehr sein seine
      seit sich sie sind so soll über um und uns unser unter vom von vor wann war waren warum was weil welche welcher
      welches wem wen wenn wer werden wie wieder will wir wird wo wurde zu zum zur zwischen`,
    nl: `
      aan al als bij daar dan dat de deze die dit door dus een en er geen had heb hebben heeft hem het hier hij hoe hun ik
      in is je jij kan maar me met mij mijn na naar niet nog nu of om ons ook op over te tot uit van veel voor waar wanneer
      want waren was wat we wel welke werd wie wij worden ze zich zij zijn zo`,
    fr: `
      à ai alors as au aussi aux avait avec avez avons c ce ceci cela ces cet cette chez comme comment d dans de des donc
      dont du elle elles en entre es est et étaient était être eu il ils j je l la le les leur leurs lui m ma mais me même
      mes moi mon n ne ni non nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels
      qui quoi s sa sans se ses si son sont suis sur t ta te tes toi ton tu un une vos votre vous y`,
    es: `
      a al algo ante aquel aquella aún con cómo como cuál cuando cuándo de del desde dónde donde e el él ella ellas ellos
      en entre era eran eres es esa ese eso esta está están estas este esto estos fue ha han hasta hay he la las le les lo
      los más me mi mis muy ni no nos o para pero por porque qué que quien quién se sea ser si sí sin sobre son soy su sus
      también te ti tu tú tus un una unas uno unos y ya yo`,
    pt: `
      a à ainda ao aos as às até com como da das de dela dele dele deles do dos e é ela elas ele eles em entre era eram essa
      esse esta está este eu foi foram há isso isto já lhe mais mas me mesmo meu meus minha minhas na nas não nem no nos
      nós o onde os ou para pela pelo por porque qual quais quando que quem são se sem ser seu seus só sua suas também te
      tem teu tu tua um uma você vocês`,
    it: `
      a ad agli ai al alla alle allo anche che chi ci come con cosa cui da dagli dai dal dalla dalle dei del della delle
      dello di dov dove e è ed era erano gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio
      ne negli nei nel nella nelle noi non nostro o ogni per perché più qual quale quali quando quanto quella quelle quello
      questa queste questi questo se sei si sia siamo siete sono sta su sua sue sugli sul sulla suo suoi te ti tra tu tua
      tuo un una uno vi voi`,
    ru: `
      а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за
      здесь и из или им их к как какая какие какой когда кого кому кто куда ли мне мной мои мой моя моё мы на над нам нас
      наш не него нее неё нет ни них но ну о об он она они оно от откуда очень по под почему при про с свой себя со так
      такая такие таким таких такого такое такой такую там тебе тебя то того тоже только том тот ты у уже чего чей чем что чтобы чья эта эти это этот я`,
    id: `
      ada adalah aku akan apa apakah atau bagaimana bahwa berapa bisa bukan dalam dan dari dengan di dia dimana ia ini itu
      juga kah kalau kami kamu kapan karena ke kepada kita lagi mana mengapa mereka oleh pada saja sama sangat saya sebagai
      seperti siapa sudah telah tentang tetapi tidak untuk yang`,
    ar: `
      أن أنا أنت أو أي أين إذا إلى إن التي الذي الذين بعد بين ثم حتى عن على عند عندما في قد كان كانت كل كم كيف لا لقد لكن لم
      لماذا له لها لي ما ماذا متى مع من نحن هذا هذه هل هم هناك هو هي و ولا وما يا`,
    hi: `
      आप इस उस उसका उसके उसकी एक और क्या कब कर करता का कि किस की कुछ के कैसे को कौन क्यों कहाँ गया जब जो तक तब तुम तो था थी थे
      ने पर भी मुझे में मेरा मेरी मेरे मैं यह या ये वह वे से हम हमारा ही हूँ है हैं हो`,
    ko: `
      가 것 과 그 그것 그것은 그건 그는 그녀 그리고 그런데 까지 나 나는 나의 내 내가 너 너는 네 누가 누구 는 다 당신 도 들 를 만 무슨 무엇
      무엇을 뭐 뭐야 뭐예요 뭔가요 무엇인가 무엇인가요 무엇입니까 누구야 누구예요 누구입니까 부터 수 어느 어디 어디에 어떤 어떻게 언제 에 에게 에서 와 왜 우리 은 을 의 이 이것 이것은 이건 이다 입니다 있는 있다 저 저것 저것은 저건 저는
      제 제가 좀 하고 하는 한 하지만 으로 로`,
    zh: `
      的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 是 在 有 和 与 或 或者 跟 把 被 给 对 从 到 向 为 以 也 都 还 就 才 又 再 很 太 更 最 不 没
      我 你 您 他 她 它 们 自己 这 那 哪 些 个 里 什么 哪些 哪个 哪里 谁 怎么 怎样 如何 为什么 多少 几 因为 所以 但 但是 如果 而 且 而且 之 其`,
    ja: `
      は が を に へ で と の も や か から まで より ね よ な だ です ます でした ました ません ない ある あります いる います
      する します した して こと もの これ それ あれ この その あの ここ そこ どこ だれ なに なん いつ どう どの どれ なぜ
      そして しかし また でも けど ので のに ため 何 誰 私 僕 彼 彼女`,
  }).map(([language, words]) => [language, new Set(words.trim().split(/\s+/))]),
);

/**
 * Stop words of other languages that have a meaning in English. A text is not taken for another language because of
 * these alone.
 */
export const alsoEnglish: ReadonlySet<string> = new Set(
  `ad ai al as bin com come comment con dan de del den dia die dies do door dos dove era es eu ha hat hay her
   hun io la las los man me mes met mi mia most no of om on or par para pas per plus pour sea ser sin so sobre
   son sue sur te tes ti to ton tot un van vi want war was wen will worden yo`.split(/\s+/),
);
