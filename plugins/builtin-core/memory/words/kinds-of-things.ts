import { stemmer } from 'stemmer';
import { wordsOf } from './words.ts';

/**
 * Everyday words for kinds of things: a question about sports is answered by a message about rowing. Words of questions
 * come before the colon, words of answers after it.
 */
const kinds = `
  sport sports exercise workout fitness: running jogging marathon swimming cycling bike football soccer tennis basketball
    volleyball rowing climbing bouldering hiking skiing skating surfing sailing kayak yoga pilates gym boxing karate judo
    badminton golf training race match team
  activity activities hobby hobbies pastime pastimes interest interests leisure: painting drawing pottery knitting sewing
    crochet gardening hiking camping fishing running swimming cycling climbing dancing singing choir guitar piano reading
    chess puzzle photography cooking baking yoga theatre birdwatching volunteering woodwork club class lessons
  art arts artwork craft crafts: painting drawing sketch pottery clay sculpture bowl watercolour mural photography canvas
    gallery exhibition bookbinding knitting woodwork
  instrument instruments: guitar piano violin cello viola flute clarinet oboe trumpet trombone saxophone drums accordion
    harp organ ukulele banjo keyboard bass recorder
  music song songs band bands concert: singing choir band concert album song playlist orchestra jazz rock folk opera festival
    gig rehearsal guitar piano
  pet pets animal animals: dog puppy cat kitten rabbit hamster parrot bird budgie fish turtle tortoise lizard snake horse pony
    hen chicken goat sheep hedgehog guinea vet paws
  vehicle vehicles transport transportation: car van bike bicycle motorbike scooter bus tram train boat ferry truck taxi
  food foods meal meals dish dishes snack snacks eat: bread cake pie soup pasta pizza rice curry salad sandwich cheese fish
    chicken sausage stew pancakes cookies biscuits chocolate dumplings dinner lunch breakfast roast
  drink drinks beverage: coffee tea wine beer juice water cocoa lemonade whisky cider smoothie
  dessert desserts sweet sweets baking baked: cake pie cookies biscuits muffins brownies chocolate pudding tart croissants
  fruit vegetable vegetables crop crops: apples pears plums cherries strawberries tomatoes potatoes beans peas pumpkin carrots
    onions garlic lettuce courgettes peppers cucumber cabbage leeks
  plant plants flower flowers garden: roses tulips sunflowers tomatoes herbs basil tree seeds seedlings soil greenhouse balcony
  family relative relatives kin: mother mum father dad sister brother daughter son aunt uncle cousin grandmother grandma grandpa
    grandfather niece nephew husband wife twins baby
  child children kid kids sibling siblings: daughter son sister brother twins baby toddler
  partner spouse relationship romantic: husband wife boyfriend girlfriend fiancé fiancée married wedding dating engaged divorced
    single breakup anniversary
  job jobs work profession occupation career living employed: teacher nurse doctor engineer baker cook chef carpenter electrician
    plumber programmer developer lawyer accountant librarian manager waiter driver journalist office company shift boss promotion
  illness illnesses disease health medical injury injuries condition ailment hurt: doctor hospital surgery operation knee ankle
    back shoulder wrist migraine fever flu cough asthma allergy diabetes broken sprained physio diagnosis pills
  allergy allergies allergic intolerance: allergic allergy nuts hazelnuts peanuts gluten lactose pollen rash sneeze
  place places location locations travel travelled traveled visited trip trips vacation holiday destination destinations
    country countries city cities: trip flight train holiday vacation weekend beach mountains lake island coast museum hotel
    camping abroad visited tour ferry
  book books novel novels read reading author literature: book novel chapter author library poems story thriller biography
  film films movie movies show shows series watch: film movie cinema series episode documentary season
  game games play played: chess cards puzzle football console video tournament dice board
  language languages learning: spanish french german italian portuguese english polish greek turkish arabic japanese chinese
    russian swedish danish norwegian welsh irish course lessons vocabulary
  money cost price expensive paid spend earn earned salary savings: euros pounds dollars paid price rent loan savings bought sold
    salary cost bill budget hundred thousand
  colour color colours colors: red blue green yellow orange purple pink brown black white grey gray turquoise
  furniture home house flat apartment room rooms: sofa table chair bed shelf lamp wardrobe desk kitchen bathroom balcony cellar
    attic garden moved lease rent landlord
  clothes clothing wear: dress shirt coat jacket trousers jeans shoes boots scarf hat gloves sweater jumper
  gift gifts present presents birthday: birthday gift present wrapped surprise card necklace
  school education study studies studied degree course courses university training: university college school exam class teacher
    degree diploma graduated lessons workshop certificate
  event events celebration celebrations party: wedding birthday party festival concert funeral parade fair christmas anniversary
    graduation market
  feeling feelings emotion emotional mood: happy sad proud nervous afraid scared angry relieved lonely grateful worried excited
  weather: rain snow storm sun wind frost heat flood fog
  goal goals plan plans dream dreams ambition: want hope plan dream someday saving apply start
  friend friends colleague colleagues neighbour neighbours neighbor: friend neighbour neighbor colleague flatmate roommate
  religion religious faith church: church mosque temple prayer mass
  volunteer volunteering charity cause causes community: shelter charity volunteers fundraiser donate donation campaign
  device devices gadget technology electronic: phone laptop computer tablet camera printer
  collection collect collects collecting: stamps coins records shells mugs cups postcards
`;

interface Kind {
  /** Stems of the words in questions. */
  readonly asked: ReadonlySet<string>;
  readonly answers: readonly string[];
}

const kindsOfThings: readonly Kind[] = kinds
  .trim()
  .split(/\n {2}(?! )/)
  .map((entry) => {
    const [asked, answers] = entry.split(':').map((words) => words.trim().split(/\s+/));
    return { asked: new Set(asked!.map(stemmer)), answers: answers! };
  });

/** Words of the kinds that a word stands for. */
export function answersTo(word: string): readonly string[] {
  const stem = stemmer(word);
  return kindsOfThings.flatMap(({ asked, answers }) => (asked.has(stem) ? answers : []));
}

/** For each kind in a question, its words that are not in the question. */
export function kindsIn(question: string): readonly (readonly string[])[] {
  const words = new Set(wordsOf(question).map(stemmer));
  return kindsOfThings
    .filter(({ asked }) => !asked.isDisjointFrom(words))
    .map(({ answers }) => answers.filter((answer) => !words.has(stemmer(answer))));
}
