/**
 * How common a word is in descriptions of tools: about how many of 5,194 descriptions of MCP tools have its stem. Stems
 * in fewer than eight are left out. Counted in the Toucan collection (github.com/TheAgentArk/Toucan, copyright 2025 Agent
 * Ark, MIT licence); none of its text is here.
 */
const descriptions = 5_194;
const stemsByCount: readonly (readonly [count: number, stems: string])[] = [
  [
    8,
    `
      aapl abbrevi abstract academ accept aggreg alert annot answer appear appid ar artifact arxiv attach attempt
      audit autom avatar backend basebal batter behavior below benchmark bgg bid bitbucket bodi brazilian btc bu byte
      campaign cast certif champion chapter checklist chembl choic choos cik citat claim classif cli clinic cluster co
      coingecko coinmarketcap compil complianc continu corpor correspond cost coverag creativ datafram datetim dbt
      decim deck decompil deleg deploi deprec deriv dev developerid diacrit diff dimens disclosur distinct distribut
      dividend dog draw duck duckduckgo due durumu dynam easier easili embl emoji english enhanc ensembl equiti
      equival ethereum everi exa exit explan explicit explicitli facebook facet fall famili femal flexibl fly food
      frequenc frequent geek gene genr gmail goal good gore grade grid hava headlin hello hex host hotel hous hover
      hug impact inject instagram intend internet interpret intradai javascript jid journal js kuran launch leav leet
      leetcod left letter login lol maintain male mart md mean mechan mental merg minecraft minecraftwiki mongo
      mongodb much mutual nearest net notebook notif now numer observ occur openai openapi openproject org own
      ownership panda paragraph parametrel password patient paus pend peopl perfect perman perspect pictur pitcher
      pleas png pokemon polici popul popular port powershel press preview previous print prioriti privat profit proper
      properli ps pubkei publicli puls purchas push put py qualifi quarter quarterli rather readabl recipi refresh
      regist registri regular regulatori render reposlug revers right role round rubi safe scope screen season sell
      sender setup sg shape signal signatur signific silent simplifi simultan sinc site skip sl slot someth special
      speech speed split src stack stand star statefulset stream subscript sum swagger sync tabnew temp temperatur
      thread tide tile timefram timezon todai traffic treat tree trial troubleshoot tube tum twitter typic ubob until
      uri util verif vers vibe vibetid visibl wa wapuls watch webhook week well while width wikipedia wild win wish
      workspaceslug xiv xxx xxxxxxxxx
    `,
  ],
  [
    16,
    `
      accur act actual adjust ag alia along alreadi altern analyst anoth append appl approach appropri approv area
      assess assist audio auth averag avoid back bank belirtilen benefit better blockchain board book bool boolean bot
      branch break breakdown brows browserbas bui bulk busi button cad cannot canva capabl capit captur card cash ccxt
      central ch channelscontrol charact chatscontrol chattingcontrol class cloud color column combin comma comparison
      compat condit consid consol coordin copi countri creation critic cross cursor daili dashboard db deal decod
      defaulttyp defi defillama depend depth describ destin determin dex diagram diakritikli digit dir directli
      discord dl drop dump durat dure earn editor effici en engag engin entir entri env erc et etf even evm evolv
      exact exclud exclus expir explain export extens face failur fast fee fill final fix flag focus forc forecast
      forex formula forward frame framework frontmatt fs fund ga gain gdb gen give gov gradescop growth guid height
      hold home hotspot hour human icon ida ideal ignor inclus incom individu inscript insid instal institut instruct
      integ integr interest interfac interv invalid investor ip iso java ki kicad kubernet la lad laravel latin
      latitud layer layout lead learn length light linkedin liquid lista load logic long longitud low machin made main
      major mani mark materi matrix measur media meet member mention method mg min minut mobil modul month movement
      multipli ndarrai nix np num offici offset onc oraichain organ origin otherwis overal owner paperswithcod partial
      particip pass past pdf percentag period person pg phone phrase pipe piperun pitch place pool portfolio possibl
      postgr postgresql practic pre precis prefer present previou program publish pubm pull qualiti quick raw readi
      receiv recupera rel releas remot renam replac repres reset resolv respond restart restrict revenu revis revit
      risk room rune sampl scale scene schedul scholar sec secret sector see selector semant sequenc seri
      sessionscontrol sh sheet shell sign similar simpl slug smart smile snapshot social solut solv space spot
      stagehand statcast steam storag stori strategi studi submiss successfulli summar suppli surum swap switch syntax
      systemat tab technic templat tensor termin timeout tip tipi togeth topic trace transcript transfer transform
      translat travel truncat try tusclasesparticular tvl tx typescript uma uniti unless upcom upload upstream usd
      usernam valuat valueerror voic wait warn webpag websit weight wide wiki window workspac world yahoo youtub
    `,
  ],
  [
    32,
    `
      absolut ad addit advanc against agent alwai amount analyt anim appli applic archiv argument arrai articl ask
      asset assign attribut author auto automat basic bitcoin block build calendar cap case cell chain channel citi
      clear click client close com comment commit common commun compar comput config confirm consum contact contract
      convers correct cours credenti criteria crypto cryptocurr csv ctx currenc custom dataset dd de debug decis defin
      definit deploy design detect develop devic direct discov displai domain edit effect either email empti enabl
      encod entiti environ estim eth evalu expect explor express extern extract fail fals featur fi figma filenam
      financ firestor float folder follow form free futur getirir github global go googl graph groupscontrol handl
      hash health high html hub implement import industri instanc instead interact invest io issu keyword know
      knowledg known label larg last librari line live llm look ls map med meilisearch meta minimum mode modifi
      monitor move multi natur navig non none normal npm obtain offer optim order ordiscan os overview pair param pars
      pattern per permiss plai plain plan platform playwright point potenti power pro problem profil progress protocol
      pub purpos python question quot quran rais random rank ratio reason recommend redi region relev reliabl repo
      represent research review root rout row rule scan schema score screenshot section secur separ share short simul
      snippet sort sql stai standard starknet statement step stop style success suggest tag take team think thought
      ticker timestamp top txt ui uniqu unit ur usag variabl vector via video visual wallet want weather weaviat what
      whatsapp whether workflow write
    `,
  ],
  [
    64,
    `
      account across action after ai allow associ authent balanc batch befor best between calcul categori chart chat
      coin collect complet complex compon configur connect convert count crm dai dict differ doc download drive ds
      element end endpoint ensur essenti etc event exchang field financi flow found game git group help histor histori
      http indic initi input insight int item kong languag latest level like link local locat log lookup manag max
      maximum mcp memori metadata metric mm model network news next node note on open output packag pagin paper player
      plugin posit post process product prompt properti public quickli rang rate real recent record refer relat remov
      report repositori resourc respons save scrape script second select server servic session show size sourc stat
      state statist store summari superset system tabl target term test through titl total transact trend true two
      understand variou verifi version view volum within word work year yyyi
    `,
  ],
  [
    128,
    `
      activ add address admin analysi analyz app browser cach call chang check command compani comprehens contain
      context control databas date delet descript directori error execut exist fetch filter find first fmp full
      function gener identifi imag index json limit make markdown market match need object paramet perform price
      project read requir run send singl start statu stock structur support symbol task token track trade valid valu
      web
    `,
  ],
  [
    256,
    `
      access avail base code content creat current default dictionari document exampl format given includ info kei
      messag multipl new number oper option page path provid queri request result retriev set specifi str string text
      time type updat url user
    `,
  ],
  [
    512,
    `
      api data detail file id inform list name search specif tool
    `,
  ],
  [
    1024,
    `
      arg return us
    `,
  ],
  [
    2048,
    `
      get
    `,
  ],
];

let counts: Map<string, number> | undefined;

function countOf(stem: string): number {
  counts ??= new Map(
    stemsByCount.flatMap(([count, stems]) =>
      stems
        .trim()
        .split(/\s+/)
        .map((each) => [each, count] as const),
    ),
  );
  return counts.get(stem) ?? 0;
}

/** The rarity of a word that is in none of these descriptions. */
export const rarestInGeneral = Math.log(1 + (descriptions + 0.5) / 0.5);

/** How much a word says about the tool that is meant, in any home: 0.6 for "data", 9.3 for "espresso". */
export function rarityInGeneral(stem: string): number {
  return Math.log(1 + (descriptions + 0.5) / (countOf(stem) + 0.5));
}
