/**
 * Common English words that don't reveal what a question is about: everyday verbs, words for time, quantity and place,
 * people in general, and general qualities.
 */
const words = `
  ability able accept according account achieve across act action active activity actually add additional address
  admit adult advice affect afraid afternoon again age ago agree ahead allow almost alone along already although always
  amount angry announce another answer anybody anyone anything anyway apart apparently appear apply approach area argue
  arrange arrive article ask aspect attention available average avoid aware away awful
  back bad base basic beautiful become bed begin behavior behaviour behind believe benefit best better beyond big birth
  bit body book born bother bottom box break bring brother build busy buy
  call care carry case catch cause center central centre century certain certainly chance change character charge check
  choice choose city class clean clear clearly close clothes cold color colour come common community company compare
  complain complete completely concern condition connect consider contact contain continue control conversation cost
  count country couple course cover create current currently cut
  daily damage danger dark date daughter day dead deal dear decade decide decision deep definitely degree depend describe
  design desire despite detail develop difference different difficult direct direction discover discuss discussion double
  doubt draw dream drive drop due
  each early earn ease easily east easy eat edge effect effort either else end enjoy enough enter entire especially
  evening event eventually ever every everybody everyone everything everywhere exactly example excellent except exciting
  exist expect expensive experience explain express extra eye
  face fact fail fair fairly fall familiar family famous fan far fast father favorite favourite fear feature feel feeling
  female few field fight figure fill final finally find fine finish first fit fix follow food foot force forget form
  former forward free fresh friend friendly front full fun funny further future
  gain general generally get girl give glad go goal good great green group grow growth guess guest guy
  habit half hand handle hang happen happy hard hardly hate head health hear heart heavy help hide high history hit hold
  holiday home hope hot hour house huge human hundred hurt husband
  idea identify ignore imagine immediately important improve include including increase indeed indicate individual inform
  information inside instead intend interest interested interesting introduce involve issue item
  job join keep kid kill kind know knowledge
  lack language large last late lately later latest laugh lead learn least leave left less let level lie life light like
  likely limit line list listen little live local long look lose loss lot loud love lovely low luck lucky
  main major make male man manage many mark matter maybe mean meaning measure meet meeting member memory mention message
  method middle might mind minute miss mistake modern moment money month mood morning mostly mother move movement much
  must
  name near nearly necessary need neither never nevertheless new news next nice night nobody none normal normally note
  nothing notice number
  obvious obviously occasion occur offer often okay old one open opinion opportunity opposite option order ordinary
  organize origin original otherwise outside owner
  pair parent part particular particularly partner party pass past pay people perfect perform perhaps period person
  personal phone pick picture piece place plan play please pleased pleasure plenty plus point poor popular position
  positive possible possibly practice prefer prepare present pretty prevent previous price prize probably problem process
  produce progress promise proper properly propose protect proud prove provide public pull purpose push put
  quality question quick quickly quiet quite
  raise range rate rather reach react read ready real realise realize really reason receive recent recently recognize
  recommend red reduce refer regular relate related relation relationship remain remember remind remove repeat replace
  reply report request require respond response responsible rest result return rich right rise role room round rule run
  sad safe same save say second see seem sell send sense separate serious serve service set several shape share short
  show shut sick side sign significant similar simple simply since single sister sit situation size sleep slow slowly small
  smile social somebody somehow someone something sometimes somewhere son soon sort sound source space speak special
  specific spend stand standard start state stay step still stop story straight strange street strong study stuff subject
  succeed success successful such sudden suddenly suggest support suppose sure surprise system
  take talk task teach team tell tend term terrible test thank thing think third though thought three throw tie till time
  tiny tired today together tomorrow tonight top total touch toward towards town travel treat trip trouble true trust try
  turn two type
  understand unfortunately unit unless unlike unusual upset use used useful user usual usually
  value various version view visit voice
  wait wake walk wall want warm wash watch water way wear weather week weekend weight welcome well west whatever whenever
  wherever whether whole wide wife win wish without woman wonder wonderful word work world worry worth write wrong
  yeah year yes yesterday yet young zero`;

export const ordinaryWords: readonly string[] = words.split(/\s+/).filter(Boolean);
