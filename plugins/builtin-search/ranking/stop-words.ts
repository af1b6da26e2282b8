const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words that say nothing about what is wanted. Dropped from tools and requests. */
export const stopWords = setOf(`
  a an the and or but if then else of in on at to for from by with without about into onto over under up down out off as
  is are was were be been being am do does did doing done have has had having i me my mine we us our ours you your yours
  he him his she her hers it its they them their theirs this that these those there here who whom whose which what when
  where why how all any both each few more most other some such no nor not only own same so than too very can could will
  would shall should may might must just also s t d m re ve ll don isn aren
`);

/** Words that ask, not words for what is asked. They count little in a request, and fully in a tool. */
export const requestWords = setOf(`
  please help want wants wanted need needs needed like likes would love able assist assistance looking look know let lets
  make sure give gives given tell show using use used uses via based am pm im ive id thank thanks hi hello hey kindly
  wondering wonder curious interested interest trying try plan planning planned going get gets getting got additionally
  also finally furthermore moreover lastly firstly first secondly second third next then afterwards after before currently
  now today tomorrow yesterday week month year day days possible provide provides providing provided retrieve ensure
  specific specifically some something anything everything someone anyone information info details detail data
`);

/** Actions of nearly every tool: sharing only these with a request is no match. */
export const actionWords = setOf(`
  find search get fetch list show view display see create make add build new set update change edit modify delete remove
  send open read write save load run start stop check look help generate use manage choose pick return give put take do
  handle call ask tell do work turn keep try let bring go come cancel edit rename copy move share close assign approve
  submit modify insert reschedule archive restore import export
`);

/** The words of a request that only wants to see a file or page: "show me the first lines of notes.txt". */
export const lookingWords = setOf(`
  show shows see look looks looking peek view display open print read check tell give let know get want need like please help let lets
  would say says said written stand stands contain contains
  content contents text inside line lines first last beginning start end top bottom part whole full entire rest
  row rows paragraph paragraphs chapter section sections page pages second third next like
  file document website site article url link address
`);

/**
 * Everyday words. They count less when deciding whether a tool answers a request at all, and fully when tools are
 * compared.
 */
export const ordinaryWords = setOf(`
  mother father sister brother daughter grandma grandpa grandmother grandfather aunt uncle cousin boss neighbour
  able above accept across actual actually afternoon afterwards again ahead ain allow allowed almost alone along
  already alright although always amazing among amount angry another anymore anyway anywhere apart apparently
  appreciate april aren around arrive arrived aside asked asking asleep aspect aspects assisting attempt august autumn
  aware away awesome awful awhile back bad badly barely basically beautiful became because become becomes becoming
  began begin beginning behind being believe belong below beneath beside besides best better between beyond big bigger
  biggest bit blame boring both bother boyfriend brief briefly bring bringing broke broken brought buddy bunch busy
  came cannot care careful certain certainly chance chances chose chosen clear clearly closely colleague colleagues
  comes comfortable coming completely concerned confused confusing consider considering constantly convenient correct
  correctly couldn couple crazy dad daily dear december decent decide decided deeply definitely depends deserve
  desperately despite detailed didn different differently difficult doesn doubt dream due during each eager earlier
  early easier easily easy effective effectively efficiently effort eight either eleven else elsewhere enjoy enjoyable
  enjoyed enough entire entirely especially essential even evening eventually ever every everybody everyday everywhere
  exact exactly excellent except excited exciting expect expected expensive experiencing explain extra extremely face
  fact fair fairly familiar family fantastic far favor favorite favour favourite fear february feel feeling feels fell
  felt few fit five folks follow following forget forgetting forgot former forth forward found four freezing frequently
  friday friend friends frustrated full fully fun funny further gave generally gets girlfriend glad goes gone gonna
  good got gotta great guess guidance guy guys had half hand happen happened happening happens happy hard hardly hasn
  hate haven having healthy hear heard heart held helpful helping helps hence highly himself honestly hope hopefully
  hoping hour hours however huge hundred hurry husband idea ideal ideally ideas imagine immediately important
  impossible impress impressive increase incredible indeed inside inspired instead intend interesting involve involved
  isn itself january july june keep keeping keeps kept kids kind kinds knew knowing known lack last late lately later
  latter lay learn least leave leaving left less letting life lifetime likely little long longer looked looks loose
  lose lost lot lots lovely luck lucky mad madam made mainly major makes making man many march mate matter matters
  maybe meanwhile meet mess might million minute minutes missing mom moment monday month months morning mostly ms much
  multiple mum myself namely near nearly necessary need needing neighbor neighbour neither nervous never nevertheless
  new newest nice night nine nobody none normal normally nothing notice noticed november nowhere obviously occasionally
  october odd often okay old once one ones online onto ordinary otherwise ought ours ourselves outside overall
  overwhelmed parents particular particularly pass past people perfect perfectly perhaps person picked place planned
  plenty potential potentially practical prefer preferably preferred pretty previous previously probably problem
  problems promised proper properly purpose put puts putting quick quickly quietly quite rather ready real realize
  really reason reasonable recent recently regarding regards regular regularly related relevant remaining required
  requires requiring roughly sad said sake saturday saw say saying says scared seeking seem seemed seems seen self
  sense sent september serious seriously seven shall shouldn side similar simple simply since six slightly somebody
  somehow sometime sometimes somewhat somewhere soon sorry spring standing stay still stopped straight strange stressed
  struggle struggling stuck stuff stupid such suddenly summer sunday super supposed surely surprised take taken takes
  taking talked talking ten tend terrible terribly thanks themselves thing things think thinking though thousand three
  through throughout thursday thus time times tired together told tonight took toward towards tried truly tuesday
  twelve twice two typically ugly unable unfortunately unless unlike unsure until upon upset usual usually valuable
  wanna wasn way ways wednesday weekend weird welcome went weren whatever whenever wherever whether while whilst whole
  whom wife willing winter wish wished without won wonderful work working world worried worse worst worth wouldn wow
  wrong yeah yep yes yet young younger yourself
`);

/** German, Dutch, French, Spanish, Portuguese and Italian function words. Some of them are meaningful English words. */
export const fillerWords = setOf(`
  der die das dem den des ein eine einen einem einer und oder nach für fur mit von vom zu zum zur im am auf ins wie wird
  werden wurde ist sind war bitte mir mich mein meine ich du wir kann kannst können konnen möchte mochte will wo was wann
  het een en voor met van naar op mijn ik je le la les un une du de et ou pour avec vers dans sur mon ma mes je tu il nous
  vous moi quel quelle est sont el los las una unos unas y para con por mi mis al del que es son yo qué cómo como dónde
  donde lo gli di da per della nel nella il un uno che come è sono mio mia o os um uma com em na meu minha eu
`);
